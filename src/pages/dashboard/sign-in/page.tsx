import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { basePath } from '../address.ts'
import { get, post } from '../api/post.ts'
import { FormFailure, TextField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'

const words = texts.signIn
const route = getRouteApi('/sign-in')

/** E-mail and password, then a code for those who have a second factor. */
export function SignIn() {
  const { next, error, code } = route.useSearch()
  const [needsCode, setNeedsCode] = useState(code !== undefined)
  const router = useRouter()
  async function enter() {
    forgetSession()
    await router.invalidate()
    // Only addresses of the dashboard: anybody can write a link with `next`.
    router.history.push(next?.startsWith('/') && !next.startsWith('//') ? `${basePath}${next}` : `${basePath}/`)
  }
  return needsCode ? (
    <CodeForm onDone={enter} />
  ) : (
    <PasswordForm onDone={enter} onCodeNeeded={() => setNeedsCode(true)} next={next} error={error} />
  )
}

/** How else people sign in here, whether the service mails links, and whether anybody has an account. */
export type SignInOptions = { oidc: { name: string } | null; canMail: boolean; hasAccount: boolean }

type ProviderProps = { next: string | undefined; error: string | undefined }
type PasswordFormProps = ProviderProps & { onDone(): Promise<void>; onCodeNeeded(): void }

function PasswordForm({ onDone, onCodeNeeded, ...provider }: PasswordFormProps) {
  const form = useFields({ email: '', password: '' }, ({ email, password }) => ({
    ...(email.trim() === '' && { email: words.needsEmail }),
    ...(password === '' && { password: words.needsPassword }),
  }))
  const [options, setOptions] = useState<SignInOptions>()
  useEffect(() => {
    // Without an answer there are only e-mail and password, which work all the same.
    get<SignInOptions>('auth/options').then(setOptions, () => {})
  }, [])
  const submit = form.handleSubmit(async (values) => {
    try {
      const answer = await post<{ twoFactorRedirect?: boolean }>('auth/sign-in/email', values)
      if (answer.twoFactorRedirect) onCodeNeeded()
      else await onDone()
    } catch (error) {
      showError(form, error)
    }
  })
  if (options?.hasAccount === false)
    return (
      <Door title={words.nobodyTitle} lead={words.nobodyLead}>
        <p className="hint">{words.nobodyCommand}</p>
        <pre>npx tributary create-operator</pre>
      </Door>
    )
  return (
    <Door title={words.title}>
      <form onSubmit={submit} noValidate>
        <TextField form={form} name="email" label={texts.fields.email} type="email" autoComplete="username" />
        <TextField
          form={form}
          name="password"
          label={texts.fields.password}
          type="password"
          autoComplete="current-password"
        />
        <FormFailure form={form} />
        <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
          {words.button}
        </button>
      </form>
      {options?.oidc && <OtherProvider name={options.oidc.name} {...provider} />}
      <p className="hint">
        {options?.canMail ? <Link to="/sign-in/forgotten">{words.forgottenLink}</Link> : words.forgotten}
      </p>
    </Door>
  )
}

/** Why the sign-in failed, from the address to which the provider redirected. */
export function rejectionOf(error: string, name: string): string {
  if (error === 'signup_disabled') return words.unknownTo(name)
  if (error === 'email_not_verified') return words.unverifiedAt(name)
  if (error === 'account_not_linked') return words.notLinkedTo(name)
  return words.providerFailed(name)
}

/** Sign-in with OpenID Connect, if the service is configured for it. */
function OtherProvider({ name, next, error }: ProviderProps & { name: string }) {
  const [failure, setFailure] = useState<string>()
  const rejection = error && rejectionOf(error, name)
  async function leave() {
    try {
      const callbackURL = `${location.origin}${basePath}${next ?? '/'}`
      const { url } = await post<{ url: string }>('auth/sign-in/social', { provider: 'oidc', callbackURL })
      location.assign(url)
    } catch (error) {
      setFailure((error as Error).message)
    }
  }
  return (
    <div className="other-provider">
      <button type="button" onClick={leave}>
        {words.with(name)}
      </button>
      {(failure || rejection) && (
        <p role="alert" className="form-failure">
          {failure ?? rejection}
        </p>
      )}
    </div>
  )
}

function CodeForm({ onDone }: { onDone(): Promise<void> }) {
  const [isRecovery, setRecovery] = useState(false)
  const form = useFields({ code: '' }, ({ code }) => (code.trim() === '' ? { code: words.needsCode } : {}))
  const submit = form.handleSubmit(async ({ code }) => {
    try {
      await post(isRecovery ? 'auth/two-factor/verify-backup-code' : 'auth/two-factor/verify-totp', {
        code: isRecovery ? code.trim() : code.replace(/\s/g, ''),
      })
      await onDone()
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <Door title={words.codeTitle} lead={isRecovery ? words.recoveryLead : words.codeLead}>
      <form onSubmit={submit} noValidate>
        <TextField
          key={String(isRecovery)}
          form={form}
          name="code"
          label={isRecovery ? texts.fields.recoveryCode : texts.fields.code}
          autoComplete="one-time-code"
          inputMode={isRecovery ? undefined : 'numeric'}
        />
        <FormFailure form={form} />
        <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
          {words.button}
        </button>
      </form>
      <button
        type="button"
        className="plain"
        onClick={() => {
          form.reset()
          setRecovery(!isRecovery)
        }}
      >
        {isRecovery ? words.useCode : words.useRecovery}
      </button>
    </Door>
  )
}
