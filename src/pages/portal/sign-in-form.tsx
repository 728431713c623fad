import { type FormEvent, useId, useState } from 'react'
import { programInAddress } from './session.ts'
import { texts } from './texts.ts'

export const isFromSite = (): boolean => new URLSearchParams(location.search).get('from') === 'site'

/** The program that mails sign-in links. Null for the links of the company's own site. */
export const programThatMails = (): string | null => (isFromSite() ? null : programInAddress())

/** Asks the service for a sign-in link. The answer is the same for addresses of affiliates and of others. */
async function askForLink(program: string, email: string): Promise<string> {
  try {
    const response = await fetch('portal/sign-in', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      // The link leads to the part of the page that the address names, as that of a mail does.
      body: JSON.stringify({ program, email, section: location.hash.slice(1) }),
    })
    if (response.ok) return texts.signIn.sent
    return response.status === 429 ? texts.signIn.tooMany : texts.signIn.failed
  } catch {
    return texts.signIn.failed
  }
}

export function SignInForm({ program }: { program: string }) {
  const { signIn } = texts
  const id = useId()
  const [email, setEmail] = useState('')
  const [status, setStatus] = useState('')
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)

  async function send(event: FormEvent) {
    event.preventDefault()
    const isAddress = /^\S+@\S+$/.test(email.trim())
    setStatus('')
    setProblem(isAddress ? '' : signIn.noAddress)
    if (!isAddress || isSending) return
    setSending(true)
    setStatus(await askForLink(program, email.trim()))
    setSending(false)
  }

  return (
    <form className="sign-in" onSubmit={send} noValidate>
      <div className="field">
        <label htmlFor={id}>{signIn.email}</label>
        <input
          id={id}
          type="email"
          autoComplete="email"
          value={email}
          aria-invalid={problem !== '' || undefined}
          aria-describedby={problem === '' ? undefined : `${id}-error`}
          onChange={({ target }) => setEmail(target.value)}
        />
        {problem !== '' && (
          <p id={`${id}-error`} className="error" role="alert">
            {problem}
          </p>
        )}
      </div>
      <button type="submit" className="primary" aria-disabled={isSending || undefined}>
        {signIn.send}
      </button>
      {/* Always rendered: screen readers announce changes only in an element that exists already. */}
      <p role="status" className="form-status">
        {status}
      </p>
    </form>
  )
}
