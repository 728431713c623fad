import type { Option } from './fields.tsx'

/** All currencies of ISO 4217 that the browser knows, by code: "USD – US Dollar". */
export function currencyOptions(current: string): Option[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  const codes = new Set([...Intl.supportedValuesOf('currency'), current.toUpperCase()])
  return [...codes].sort().map((code) => ({ value: code, name: `${code} – ${names.of(code)}` }))
}
