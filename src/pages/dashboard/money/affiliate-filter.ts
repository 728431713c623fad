import { nameOf } from '../affiliate-name.tsx'
import type { Filter } from '../list/filters.tsx'
import { texts } from '../texts.ts'

/** A filter that the address sets, and that people only remove. */
export const choiceOfOne = (name: string, label: string, value: string, valueName = value): Filter => ({
  kind: 'choice',
  name,
  label,
  options: [{ value, name: valueName }],
})

/** Searches affiliates, or names the one in the address. @param affiliate null until it is loaded */
export const affiliateFilter = (
  id: string | undefined,
  affiliate: Parameters<typeof nameOf>[0] | null | undefined,
): Filter =>
  id
    ? choiceOfOne('affiliate', texts.money.affiliate, id, affiliate ? nameOf(affiliate) : id)
    : { kind: 'text', name: 'search', label: texts.money.searchAffiliate }
