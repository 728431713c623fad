import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { type PostError, post } from '../api/post.ts'
import { FormFailure, NewPasswordField, TextField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { takeToken } from '../session/token-in-address.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const words = texts.setUp

type State = { step: 'loading' | 'form' } | { step: 'rejected'; rejection: string; canRetry: boolean }

/** The first operator creates their account with the link that the service printed. */
export function SetUp() {
  const [token] = useState(takeToken)
  const [state, setState] = useState<State>({ step: 'loading' })
  const load = useCallback(async () => {
    setState({ step: 'loading' })
    try {
      await post('setup/read', { token })
      setState({ step: 'form' })
    } catch (error) {
      const { message, status } = error as PostError
      setState({ step: 'rejected', rejection: message, canRetry: status !== 401 })
    }
  }, [token])
  useEffect(() => {
    if (token !== '') void load()
  }, [token, load])
  if (token === '') return <Door title={words.noTokenTitle} lead={words.noToken} />
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
  return (
    <Door title={words.title} lead={words.lead}>
      <AccountForm token={token} />
    </Door>
  )
}

function AccountForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const form = useFields({ name: '', email: '', password: '' }, ({ name, email, password }) => ({
    ...(name.trim() === '' && { name: texts.people.needsName }),
    ...(email.trim() === '' && { email: texts.signIn.needsEmail }),
    ...(password === '' && { password: texts.people.needsPassword }),
  }))
  const submit = form.handleSubmit(async (values) => {
    try {
      await post('setup', { token, ...values })
      forgetSession()
      await navigate({ to: '/' })
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <TextField form={form} name="name" label={texts.fields.name} autoComplete="name" />
      <TextField form={form} name="email" label={texts.fields.email} type="email" autoComplete="username" />
      <NewPasswordField form={form} name="password" label={texts.fields.password} />
      <FormFailure form={form} />
      <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
        {words.button}
      </button>
    </form>
  )
}
