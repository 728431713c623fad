import { useEffect, useRef } from 'react'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { redeemTicket, type SignedOutReason } from './session.ts'

const newLink =
  'Return to the site where you manage your account and open the portal again: you get a new link each time.'

function textsOf(reason: SignedOutReason): { title: string; text: string } {
  switch (reason.why) {
    case 'no-ticket':
      return {
        title: 'Sign in with a link',
        text: 'This page shows affiliates their own data. You find the link to it on the site where you manage your account.',
      }
    case 'ticket-rejected':
      return { title: 'This link no longer works', text: `${reason.message} ${newLink}` }
    case 'expired':
      return { title: 'Your session has ended', text: `Sessions last one hour, to protect your data. ${newLink}` }
    case 'signed-out':
      return { title: 'You are signed out', text: `To see your data again, sign in with a new link. ${newLink}` }
    case 'unreachable':
      return {
        title: 'The service is not responding',
        text: 'Your link was not used. Try again now: it works only for a short time.',
      }
  }
}

/** Says why the affiliate is not signed in and what to do. It takes the focus, so that screen readers announce it. */
export function SignedOut({ reason }: { reason: SignedOutReason }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { title, text } = textsOf(reason)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title has to be announced too
  useEffect(() => heading.current?.focus(), [title])
  return (
    <main className="alone">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      {reason.why === 'unreachable' && (
        <button type="button" className="primary" onClick={redeemTicket}>
          Try again
        </button>
      )}
      <ThemeChoice />
    </main>
  )
}
