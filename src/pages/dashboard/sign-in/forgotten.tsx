import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../api/post.ts'
import { FormFailure, TextField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'

const words = texts.signIn

/** Asks for the e-mail address of an account. The answer does not reveal whether the account exists. */
export function ForgottenPassword() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useFields({ email: '' }, ({ email }) => (email.trim() === '' ? { email: words.needsEmail } : {}))
  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await post('password-reset/mail', { email })
      setSentTo(email.trim())
    } catch (error) {
      showError(form, error)
    }
  })
  const back = (
    <p className="hint">
      <Link to="/sign-in">{words.back}</Link>
    </p>
  )
  if (sentTo !== undefined)
    return (
      <Door title={words.forgottenSent} lead={words.forgottenSentLead(sentTo)}>
        {back}
      </Door>
    )
  return (
    <Door title={words.forgottenTitle} lead={words.forgottenLead}>
      <form onSubmit={submit} noValidate>
        <TextField form={form} name="email" label={texts.fields.email} type="email" autoComplete="username" />
        <FormFailure form={form} />
        <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
          {words.forgottenButton}
        </button>
      </form>
      {back}
    </Door>
  )
}
