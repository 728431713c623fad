import { formatNumber } from '../../parts/locale.ts'
/** How far something is that takes a while. */
export const Progress = ({ label, done, count }: { label: string; done: number; count: number }) => (
  <div className="progress" role="status">
    <progress value={done} max={Math.max(1, count)} aria-label={label} />
    <p className="quiet">
      {label}: {formatNumber(done)} / {formatNumber(count)}
    </p>
  </div>
)
