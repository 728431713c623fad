import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { type PostError, post } from '../api/post.ts'
import { FormFailure, NewPasswordField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { takeToken } from '../session/token-in-address.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const words = texts.passwordReset

type State =
  | { step: 'loading' }
  | { step: 'done' }
  | { step: 'form'; email: string }
  | { step: 'rejected'; rejection: string; canRetry: boolean }

/** Somebody who forgot their password chooses another, with a link that an operator made. */
export function PasswordReset() {
  const [token] = useState(takeToken)
  const [state, setState] = useState<State>({ step: 'loading' })
  const load = useCallback(async () => {
    setState({ step: 'loading' })
    try {
      setState({ step: 'form', ...(await post<{ email: string }>('password-reset/read', { token })) })
    } catch (error) {
      const { message, status } = error as PostError
      setState({ step: 'rejected', rejection: message, canRetry: status !== 401 })
    }
  }, [token])
  useEffect(() => {
    void load()
  }, [load])
  if (state.step === 'loading')
    return (
      <Door title={words.loading}>
        <Skeleton />
      </Door>
    )
  if (state.step === 'rejected')
    return (
      <Door title={words.rejected} lead={state.canRetry ? undefined : state.rejection}>
        {state.canRetry && <FailureNotice message={state.rejection} onRetry={load} />}
      </Door>
    )
  if (state.step === 'done')
    return (
      <Door title={words.done} lead={words.doneLead}>
        <Link to="/sign-in" className="button primary">
          {texts.signIn.title}
        </Link>
      </Door>
    )
  return (
    <Door title={words.title} lead={words.lead(state.email)}>
      <NewPassword token={token} email={state.email} onDone={() => setState({ step: 'done' })} />
    </Door>
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
