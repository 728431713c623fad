import { formatDate } from '../../parts/locale.ts'

/** Seconds are for what follows within a minute. */
type MomentProps = { at: string; hasSeconds?: boolean }

export const formatMoment = (at: string, hasSeconds = false): string =>
  formatDate(at, { dateStyle: 'medium', timeStyle: hasSeconds ? 'medium' : 'short' })

/** A day and a time, in the program's locale and the browser's time zone. */
export const Moment = ({ at, hasSeconds = false }: MomentProps) => (
  <time dateTime={at} dir="auto">
    {formatMoment(at, hasSeconds)}
  </time>
)
