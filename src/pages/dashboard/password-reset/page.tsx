import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../api/post.ts'
import { FormFailure, NewPasswordField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { takeToken } from '../session/token-in-address.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'
import { LinkedDoor } from '../ui/linked-door.tsx'

const words = texts.passwordReset

/** Somebody who forgot their password chooses another, with a link that an operator made. */
export function PasswordReset() {
  const [token] = useState(takeToken)
  const [isDone, setDone] = useState(false)
  if (isDone)
    return (
      <Door title={words.done} lead={words.doneLead}>
        <Link to="/sign-in" className="button primary">
          {texts.signIn.title}
        </Link>
      </Door>
    )
  return (
    <LinkedDoor<{ email: string }>
      path="password-reset/read"
      token={token}
      loading={words.loading}
      rejected={words.rejected}
    >
      {({ email }) => (
        <Door title={words.title} lead={words.lead(email)}>
          <NewPassword token={token} email={email} onDone={() => setDone(true)} />
        </Door>
      )}
    </LinkedDoor>
  )
}

function NewPassword({ token, email, onDone }: { token: string; email: string; onDone(): void }) {
  const form = useFields({ password: '' }, ({ password }) =>
    password === '' ? { password: texts.people.needsPassword } : {},
  )
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      await post('password-reset', { token, password })
      forgetSession()
      onDone()
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      {/* Password managers store the password under this e-mail. */}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <NewPasswordField form={form} name="password" label={texts.account.newPassword} />
      <FormFailure form={form} />
      <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
        {words.button}
      </button>
    </form>
  )
}
