import { formatDate } from '../../parts/locale.ts'
export const formatMoment = (at: string): string => formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })

/** A day and a time, in the program's locale and the browser's time zone. */
export const Moment = ({ at }: { at: string }) => <time dateTime={at}>{formatMoment(at)}</time>
