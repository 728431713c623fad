import { useEffect, useRef } from 'react'
import { defaultLanguage } from '../../kernel/languages.ts'
import { isFramed } from '../embed/frame.ts'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { Brand, isKnownProgram } from './brand.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { ProgramForm } from './program-form.tsx'
import { type SignedOutReason, signIn } from './session.ts'
import { isFromSite, programThatMails, SignInForm } from './sign-in-form.tsx'
import { currentLanguage, texts } from './texts.ts'

function textsOf(reason: SignedOutReason, program: string | null, isUnknown: boolean): { title: string; text: string } {
  const { signedOut } = texts
  if (reason.why === 'disabled') return signedOut.disabled
  if (isFramed) return signedOut.framed
  if (isUnknown) return signedOut.unknownProgram
  const { newLink } = signedOut
  const next = program === null ? newLink : signedOut.signIn.text
  switch (reason.why) {
    case 'no-ticket':
      return program !== null ? signedOut.signIn : isFromSite() ? signedOut.noTicket : signedOut.chooseProgram
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
  const program = programThatMails()
  const isUnknown = program !== null && !isKnownProgram
  const asksForProgram = isUnknown || (program === null && !isFromSite())
  const { title, text } = textsOf(reason, program, isUnknown)
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
        <button type="button" className="primary" onClick={signIn}>
          {texts.parts.tryAgain}
        </button>
      ) : (
        !isFramed &&
        reason.why !== 'disabled' &&
        (asksForProgram ? <ProgramForm /> : program !== null && <SignInForm program={program} />)
      )}
      <div className="choices">
        <LanguageChoice />
        {!isFramed && <ThemeChoice />}
      </div>
    </main>
  )
}
