import { FailureNotice as Notice } from '../parts/failure-notice.tsx'
import type { QueryFailure } from './query.ts'

export const messages: Record<QueryFailure, string> = {
  unauthorized: 'You are signed out. Sign in again to see your data.',
  disabled: 'Your account is disabled. Contact the program if you think that this is a mistake.',
  unreachable: 'The service is not responding. Your data is safe. Try again in a moment.',
  rejected: 'Something went wrong: the service rejected the request.',
}

export const FailureNotice = ({ failure, onRetry }: { failure: QueryFailure; onRetry(): void }) => (
  <Notice message={messages[failure]} onRetry={failure === 'disabled' ? undefined : onRetry} />
)
