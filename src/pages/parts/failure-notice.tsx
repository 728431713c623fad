import { partTexts } from './texts.ts'

/** Says what went wrong, with a button that tries again. */
export const FailureNotice = ({ message, onRetry }: { message: string; onRetry?(): void }) => (
  <div className="failure" role="alert">
    <p>{message}</p>
    {onRetry && (
      <button type="button" onClick={onRetry}>
        {partTexts().tryAgain}
      </button>
    )}
  </div>
)
