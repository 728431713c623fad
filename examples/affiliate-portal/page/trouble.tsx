import type { Trouble } from './ask.ts'

const words: Record<Trouble, { title: string; text: string; button?: string }> = {
  over: { title: 'You are signed out', text: 'Sign in again to see your numbers.', button: 'Try again' },
  disabled: {
    title: 'Your account is disabled',
    text: 'There is nothing to see here for now. Write to the program if you think that this is a mistake.',
  },
  gone: {
    title: 'The service does not answer',
    text: 'Your numbers are safe; they are only out of reach for now.',
    button: 'Try again',
  },
  refused: { title: 'Something went wrong', text: 'The service did not take the question.', button: 'Try again' },
}

export function TroubleNote({ trouble, onRetry }: { trouble: Trouble; onRetry(): void }) {
  const { title, text, button } = words[trouble]
  return (
    <div className="trouble" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      {button && (
        <button type="button" onClick={onRetry}>
          {button}
        </button>
      )}
    </div>
  )
}
