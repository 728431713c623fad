/**
 * What a list shows, as its address says it: the filters by name, the order ("-amount" from the largest), and the
 * cursor of the page.
 */
export type ListSearch = { [name: string]: string | undefined; order?: string; after?: string; before?: string }

/** Reads the address of a list. Unknown values are the business of each filter. */
export const readListSearch = (raw: Record<string, unknown>): ListSearch =>
  Object.fromEntries(Object.entries(raw).filter(([, value]) => typeof value === 'string' && value !== '')) as ListSearch

export const pageSize = 25

export type PageVariables = { first?: number; after?: string; last?: number; before?: string }

/** The variables of the page that the address names. */
export function pageOf({ after, before }: ListSearch, size: number = pageSize): PageVariables {
  if (before !== undefined) return { last: size, before }
  return after === undefined ? { first: size } : { first: size, after }
}

/**
 * The order that the address names, for `orderBy`; undefined for an unknown one.
 * @param fields the fields that the list can be sorted by, as GraphQL names them
 */
export function orderOf<Field extends string>(
  { order = '' }: ListSearch,
  fields: Readonly<Record<string, Field>>,
): { field: Field; direction: 'ASC' | 'DESC' }[] | undefined {
  const isDescending = order.startsWith('-')
  const field = fields[isDescending ? order.slice(1) : order]
  return field && [{ field, direction: isDescending ? 'DESC' : 'ASC' }]
}

/** The value of a filter, if it is one of those that the list knows. */
export const choiceOf = <Value extends string>(
  given: string | undefined,
  values: readonly Value[],
): Value | undefined => values.find((value) => value === given)
