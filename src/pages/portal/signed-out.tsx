import { useEffect, useRef } from 'react'
import { defaultLanguage } from '../../kernel/languages.ts'
import { isFramed } from '../embed/frame.ts'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { Brand } from './brand.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { redeemTicket, type SignedOutReason } from './session.ts'
import { programInAddress, SignInForm } from './sign-in-form.tsx'
import { currentLanguage, texts } from './texts.ts'

function textsOf(reason: SignedOutReason, program: string | null): { title: string; text: string } {
  const { signedOut } = texts
  if (reason.why === 'disabled') return signedOut.disabled
  if (isFramed) return signedOut.framed
  const { newLink } = signedOut
  const next = program === null ? newLink : signedOut.signIn.text
  switch (reason.why) {
    case 'no-ticket':
      return program === null ? signedOut.noTicket : signedOut.signIn
    case 'ticket-rejected':
      return {
        title: signedOut.rejected,
        text: currentLanguage() === defaultLanguage ? `${reason.message} ${next}` : next,
      }
    case 'expired':
      return { title: signedOut.expired.title, text: `${signedOut.expired.text} ${next}` }
    case 'signed-out':
      return { title: signedOut.signedOut.title, text: `${signedOut.signedOut.text} ${next}` }
    case 'unreachable':
      return signedOut.unreachable
  }
}

/** Says why the affiliate is not signed in and what to do. It takes the focus, so that screen readers announce it. */
export function SignedOut({ reason }: { reason: SignedOutReason }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const program = programInAddress()
  const { title, text } = textsOf(reason, program)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title has to be announced too
  useEffect(() => heading.current?.focus(), [title])
  useEffect(() => {
    document.title = texts.title
  })
  return (
    <main className="alone">
      <Brand />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      {reason.why === 'unreachable' ? (
        <button type="button" className="primary" onClick={redeemTicket}>
          {texts.parts.tryAgain}
        </button>
      ) : (
        program !== null && !isFramed && reason.why !== 'disabled' && <SignInForm program={program} />
      )}
      <div className="choices">
        <LanguageChoice />
        {!isFramed && <ThemeChoice />}
      </div>
    </main>
  )
}
