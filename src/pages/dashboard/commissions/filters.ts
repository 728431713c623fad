import {
  CommissionFiltersDocument,
  type CommissionKind,
  type CommissionOrderField,
  type CommissionState,
  type CommissionWhere,
} from '../../../generated/dashboard/commissions/graphql.ts'
import { useData } from '../api/use-data.ts'
import type { Filter } from '../list/filters.tsx'
import { choiceOf, type ListSearch, orderOf, type PageVariables } from '../list/search.ts'
import { affiliateFilter } from '../money/affiliate-filter.ts'
import { betweenDays } from '../money/days.ts'
import { texts } from '../texts.ts'

const words = texts.commissions

const states = Object.keys(words.states) as CommissionState[]
const kinds = Object.keys(words.kinds) as CommissionKind[]
const stateOf = (given: string | undefined) => choiceOf(given?.toUpperCase(), states)

/** The conditions that the address names. */
function whereOf(search: ListSearch): CommissionWhere {
  const { affiliate, campaign, held, kind: givenKind, from, to } = search
  const kind = choiceOf(givenKind?.toUpperCase(), kinds)
  const state = stateOf(search.state)
  const occurredAt = betweenDays(from, to)
  return {
    ...(state && { state: { equals: state } }),
    ...(kind && { kind: { equals: kind } }),
    // Held are those that wait for a decision: a void commission keeps the reason for which it was held.
    ...(held === 'yes' && { heldReason: { not: null }, state: { equals: 'PENDING' } }),
    ...(search.search && { affiliate: { search: search.search } }),
    ...(affiliate && { affiliateId: { equals: affiliate } }),
    ...(campaign && { campaignId: { equals: campaign } }),
    ...(occurredAt && { occurredAt }),
  }
}

const orders: Record<string, CommissionOrderField> = { amount: 'AMOUNT', due: 'DUE_AT', occurred: 'OCCURRED_AT' }

export const variablesOf = (search: ListSearch, page: PageVariables) => ({
  ...page,
  where: whereOf(search),
  orderBy: orderOf(search, orders),
})

/** The filters of the list. That of one affiliate appears when the address names one. */
export function useFilters({ affiliate }: ListSearch): Filter[] {
  const { data } = useData(CommissionFiltersDocument, { affiliateId: affiliate ?? '', hasAffiliate: !!affiliate })
  return [
    affiliateFilter(affiliate, data?.affiliate),
    {
      kind: 'choice',
      name: 'state',
      label: texts.money.state,
      options: states.map((state) => ({ value: state.toLowerCase(), name: words.states[state] })),
    },
    {
      kind: 'choice',
      name: 'kind',
      label: texts.sales.kind,
      options: kinds.map((kind) => ({ value: kind.toLowerCase(), name: words.kinds[kind] })),
    },
    { kind: 'choice', name: 'held', label: words.held, options: [{ value: 'yes', name: texts.money.yes }] },
    {
      kind: 'choice',
      name: 'campaign',
      label: texts.money.campaign,
      options: (data?.campaigns.nodes ?? []).map(({ id, name }) => ({ value: id, name })),
    },
    { kind: 'day', name: 'from', label: texts.money.from },
    { kind: 'day', name: 'to', label: texts.money.to },
  ]
}
