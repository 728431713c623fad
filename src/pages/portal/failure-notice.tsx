import { FailureNotice as Notice } from '../parts/failure-notice.tsx'
import type { QueryFailure } from './query.ts'
import { texts } from './texts.ts'

export const FailureNotice = ({ failure, onRetry }: { failure: QueryFailure; onRetry(): void }) => (
  <Notice message={texts.failures[failure]} onRetry={failure === 'disabled' ? undefined : onRetry} />
)
