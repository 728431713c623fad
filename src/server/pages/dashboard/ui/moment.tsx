const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A day and a time, in the browser's language and time zone. */
export const Moment = ({ at }: { at: string }) => <time dateTime={at}>{format.format(new Date(at))}</time>
