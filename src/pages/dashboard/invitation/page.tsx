import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { type PostError, post } from '../api/post.ts'
import { FormFailure, NewPasswordField, TextField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession, type Role, readSession } from '../session/session.ts'
import { dropToken, keepToken } from '../session/token-in-address.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const words = texts.invitation

type Read = { program: { name: string; slug: string }; email: string; role: Lowercase<Role>; isKnown: boolean }

/** The invitation, and the signed-in person. */
type State = { invitation: Read; signedInAs: string | null } | { rejection: string; canRetry: boolean } | undefined

/** Somebody accepts an invitation: with a new account, or with the one that they have. */
export function Invitation() {
  const [token] = useState(keepToken)
  const [state, setState] = useState<State>()
  const load = useCallback(async () => {
    setState(undefined)
    try {
      const [invitation, session] = await Promise.all([post<Read>('invitation/read', { token }), readSession()])
      setState({ invitation, signedInAs: session?.person.email ?? null })
    } catch (error) {
      const { message, status } = error as PostError
      setState({ rejection: message, canRetry: !status || status >= 500 })
    }
  }, [token])
  useEffect(() => {
    void load()
  }, [load])
  if (!state)
    return (
      <Door title={words.loading}>
        <Skeleton />
      </Door>
    )
  if ('rejection' in state)
    return (
      <Door title={words.rejected} lead={state.canRetry ? undefined : state.rejection}>
        {state.canRetry && <FailureNotice message={state.rejection} onRetry={load} />}
      </Door>
    )
  const { invitation, signedInAs } = state
  const title = words.title(invitation.program.name)
  const lead = words.lead(invitation.email, texts.roles[invitation.role.toUpperCase() as Role])
  if (signedInAs?.toLowerCase() === invitation.email.toLowerCase())
    return (
      <Door title={title} lead={lead}>
        <AcceptForm token={token} invitation={invitation} isNew={false} />
      </Door>
    )
  return (
    <Door title={title} lead={lead}>
      {signedInAs && <p className="hint">{words.otherPerson(signedInAs)}</p>}
      {invitation.isKnown ? (
        <>
          <p>{words.known}</p>
          <Link to="/sign-in" search={{ next: '/invitation' }} className="button primary">
            {texts.signIn.title}
          </Link>
        </>
      ) : (
        <AcceptForm token={token} invitation={invitation} isNew />
      )}
    </Door>
  )
}

type AcceptFormProps = { token: string; invitation: Read; isNew: boolean }

function AcceptForm({ token, invitation, isNew }: AcceptFormProps) {
  const navigate = useNavigate()
  const form = useFields({ name: '', password: '' }, ({ name, password }) => ({
    ...(isNew && name.trim() === '' && { name: texts.people.needsName }),
    ...(isNew && password === '' && { password: texts.people.needsPassword }),
  }))
  const submit = form.handleSubmit(async ({ name, password }) => {
    try {
      await post('invitation', isNew ? { token, name, password } : { token })
      forgetSession()
      dropToken()
      await navigate({ to: '/$program/home', params: { program: invitation.program.slug } })
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      {isNew && (
        <>
          <TextField form={form} name="name" label={texts.fields.name} autoComplete="name" />
          {/* Password managers store the password under this e-mail. */}
          <input type="hidden" name="email" autoComplete="username" value={invitation.email} />
          <NewPasswordField form={form} name="password" label={texts.fields.password} />
        </>
      )}
      <FormFailure form={form} />
      <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
        {words.button}
      </button>
    </form>
  )
}
