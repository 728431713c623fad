import { formatNumber } from '../../parts/locale.ts'
import type { Paging } from './use-paging.ts'

const count = (rows: number) => formatNumber(rows)

/** Says that a table is only a part of its list, and offers all rows. */
export function PageNote({ rows, paging }: { rows: number; paging: Paging }) {
  const { total, isPartial, progress, limitNote, readAll, stop } = paging
  if (limitNote) {
    return (
      <p className="page-note" role="status">
        {count(rows)}
        {total !== undefined && ` of ${count(total)}`} rows. {limitNote}
      </p>
    )
  }
  if (!isPartial) return null
  if (progress !== null) {
    return (
      <p className="page-note">
        <progress aria-label="Rows read" max={total ?? undefined} value={total === undefined ? undefined : progress} />
        {count(progress)}
        {total !== undefined && ` of ${count(total)}`} rows read
        <button type="button" onClick={stop}>
          Stop
        </button>
      </p>
    )
  }
  return (
    <p className="page-note">
      {total === undefined ? `${count(rows)} rows. There can be more.` : `${count(rows)} of ${count(total)} rows.`}
      <button type="button" onClick={readAll}>
        All rows
      </button>
    </p>
  )
}
