import { texts } from '../texts.ts'

/** Grey lines in the place of what is loading. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="skeleton" role="status">
    <span className="unseen">{texts.loading}</span>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
      <span key={line} className="bone" />
    ))}
  </div>
)
