import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { get, post } from '../api/post.ts'
import { FormFailure, NewPasswordField, TextField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { deviceOf } from './device.ts'
import { Profile } from './profile.tsx'
import { Provider } from './provider.tsx'
import { SecondFactor } from './second-factor.tsx'

const words = texts.account

/** What belongs to the person: password, second factor, where they are signed in, and what acts as them. */
export function Account() {
  const { person } = useSession()
  return (
    <Page title={words.title} lead={`${person.name} · ${person.email}`}>
      <Profile />
      <Password />
      <SecondFactor />
      <Provider />
      <Sessions />
      <ConnectedApps />
    </Page>
  )
}

function Password() {
  const show = useToast()
  const router = useRouter()
  const form = useFields({ currentPassword: '', newPassword: '' }, ({ currentPassword, newPassword }) => ({
    ...(currentPassword === '' && { currentPassword: texts.signIn.needsPassword }),
    ...(newPassword === '' && { newPassword: texts.people.needsPassword }),
  }))
  const submit = form.handleSubmit(async (values) => {
    try {
      await post('auth/change-password', values)
      form.reset()
      show(words.passwordChanged)
      // A changed password ends other sessions. If it also ended this one, the view leads to the sign-in.
      forgetSession()
      await router.invalidate()
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <Card title={words.password} lead={words.passwordLead}>
      <form onSubmit={submit} noValidate className="narrow">
        <TextField
          form={form}
          name="currentPassword"
          label={words.currentPassword}
          type="password"
          autoComplete="current-password"
        />
        <NewPasswordField form={form} name="newPassword" label={words.newPassword} />
        <FormFailure form={form} />
        <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
          {words.changePassword}
        </button>
      </form>
    </Card>
  )
}

type OwnSession = {
  token: string
  createdAt: string
  updatedAt?: string
  ipAddress?: string | null
  userAgent?: string | null
}

function Sessions() {
  const show = useToast()
  const router = useRouter()
  const [sessions, setSessions] = useState<OwnSession[]>()
  const [current, setCurrent] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const load = useCallback(async () => {
    setFailure(undefined)
    try {
      const [own, { session }] = await Promise.all([
        get<OwnSession[]>('auth/list-sessions'),
        get<{ session: OwnSession }>('auth/get-session'),
      ])
      setSessions(own)
      setCurrent(session.token)
    } catch (error) {
      setFailure((error as Error).message)
    }
  }, [])
  useEffect(() => {
    void load()
  }, [load])
  async function end(path: string, body: object, message: string) {
    try {
      await post(path, body)
      show(message)
      await load()
      forgetSession()
      await router.invalidate()
    } catch (error) {
      setFailure((error as Error).message)
    }
  }
  return (
    <Card
      title={words.sessions}
      lead={words.sessionsLead}
      actions={
        sessions &&
        sessions.length > 1 && (
          <button type="button" onClick={() => end('auth/revoke-other-sessions', {}, words.othersEnded)}>
            {words.endOthers}
          </button>
        )
      }
    >
      {failure && <FailureNotice message={failure} onRetry={load} />}
      {!sessions && !failure && <Skeleton />}
      <ul className="entries">
        {sessions?.map((session) => (
          <li key={session.token}>
            <div>
              <p className="entry-title">
                {deviceOf(session.userAgent)}
                {session.token === current && <span className="badge good">{words.thisSession}</span>}
              </p>
              <p className="quiet">
                {session.ipAddress && `${session.ipAddress} · `}
                {words.signedInAt} <Moment at={session.createdAt} />
              </p>
            </div>
            <button
              type="button"
              onClick={() => end('auth/revoke-session', { token: session.token }, words.sessionEnded)}
            >
              {words.endSession}
              <span className="unseen"> {deviceOf(session.userAgent)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
