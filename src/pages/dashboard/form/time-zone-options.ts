import type { Option } from './fields.tsx'

/** All time zones of IANA that the browser knows, UTC first: "America/New York". */
export function timeZoneOptions(current: string): Option[] {
  const names = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])
  return [...names].map((value) => ({ value, name: value.replaceAll('_', ' ') }))
}
