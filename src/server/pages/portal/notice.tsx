import { useEffect, useRef } from 'react'
import type { Trouble } from './ask.ts'
import { type Out, turnIn } from './session.ts'

const goBack = 'Go back to where your link was, and open it again: you get a new one each time.'

function wordsOf(out: Out): { title: string; text: string } {
  switch (out.why) {
    case 'no-link':
      return {
        title: 'Sign in with a link',
        text: 'This page shows affiliates their own numbers. It is opened by a link, which you find where you manage your account.',
      }
    case 'refused':
      return { title: 'This link does not work any more', text: `${out.said} ${goBack}` }
    case 'over':
      return { title: 'Your session is over', text: `It lasts an hour, to keep your numbers yours. ${goBack}` }
    case 'signed-out':
      return {
        title: 'You are signed out',
        text: `To see your numbers again: ${goBack.charAt(0).toLowerCase()}${goBack.slice(1)}`,
      }
    case 'unreachable':
      return {
        title: 'The service does not answer',
        text: 'Your link was not used. Try again in a moment: it works for a minute.',
      }
  }
}

/** Instead of the numbers: why there are none, and what to do. It takes the focus, so that it is read out first. */
export function SignedOut({ out }: { out: Out }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { title, text } = wordsOf(out)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another reason is read out as well
  useEffect(() => heading.current?.focus(), [title])
  return (
    <main className="alone">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      {out.why === 'unreachable' && (
        <button type="button" className="first" onClick={turnIn}>
          Try again
        </button>
      )}
    </main>
  )
}

const troubles: Record<Trouble, string> = {
  unreachable: 'The service does not answer. Your numbers are safe; they are only out of reach for now.',
  refused: 'Something went wrong: the service did not take the question.',
}

export const TroubleNote = ({ trouble, onRetry }: { trouble: Trouble; onRetry(): void }) => (
  <div className="trouble" role="alert">
    <p>{troubles[trouble]}</p>
    <button type="button" onClick={onRetry}>
      Try again
    </button>
  </div>
)
