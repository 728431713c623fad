const instantForm = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i
/** In a query, the `+` of an offset becomes a blank if the client did not encode it. */
const blankOffset = /^(\S+[T ]\d{2}:\d{2}\S*) (?=\d{2}:?\d{2}$)/i

/** A date and time in ISO 8601, without a zone in UTC. Other texts are returned as they are. */
export function readInstant(given: string): Date | string {
  const value = given.replace(blankOffset, '$1+')
  if (!instantForm.test(value)) return given
  const day = value.slice(0, 10)
  const date = new Date(
    /[Tt ]/.test(value) && !/(Z|[+-]\d{2}:?\d{2})$/i.test(value)
      ? `${value.replace(' ', 'T')}Z`
      : value.replace(' ', 'T'),
  )
  // `new Date` would read 30 February as a day in March. Reject days that do not exist.
  const exists = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false
  return exists && !Number.isNaN(date.getTime()) ? date : given
}
