import { countries } from '../../../kernel/countries.ts'
import { texts } from '../texts.ts'

/** Countries by their English names, after the choice of none. */
export function countryOptions(): { value: string; name: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const options = countries.map((value) => ({ value, name: names.of(value) ?? value }))
  return [{ value: '', name: texts.settings.tax.noCountry }, ...options.sort((a, b) => a.name.localeCompare(b.name))]
}
