import type { AffiliateState, PayoutOrderField, PayoutWhere } from '../../../generated/dashboard/payouts/graphql.ts'
import type { Filter } from '../list/filters.tsx'
import { choiceOf, type ListSearch, orderOf, type PageVariables } from '../list/search.ts'
import { betweenDays } from '../money/days.ts'
import { texts } from '../texts.ts'

const affiliateStates = Object.keys(texts.affiliates.states) as AffiliateState[]

export const stateFilter: Filter = {
  kind: 'choice',
  name: 'affiliateState',
  label: texts.payouts.affiliateState,
  options: affiliateStates.map((value) => ({ value, name: texts.affiliates.states[value] })),
}

export const searchFilter: Filter = { kind: 'text', name: 'search', label: texts.money.searchAffiliate }

/** The conditions that the address names. */
export const whereOf = (
  state: 'PENDING' | 'PAID',
  { search, currency, affiliate, affiliateState, reference, from, to }: ListSearch,
): PayoutWhere => {
  const whose = choiceOf(affiliateState, affiliateStates)
  return {
    state: { equals: state },
    ...((from || to) && { paidAt: betweenDays(from, to) ?? null }),
    ...((search || whose) && { affiliate: { ...(search && { search }), ...(whose && { state: { equals: whose } }) } }),
    ...(affiliate && { affiliateId: { equals: affiliate } }),
    ...(currency && { currency: { equals: currency } }),
    ...(reference && { reference: { equals: reference } }),
  }
}

const orders: Record<string, PayoutOrderField> = { amount: 'AMOUNT', opened: 'CREATED_AT', paid: 'UPDATED_AT' }

/** The variables of a list of payouts. @param order the order of an address without one */
export const variablesOf =
  (state: 'PENDING' | 'PAID', order?: string) => (search: ListSearch, page: PageVariables) => ({
    ...page,
    where: whereOf(state, search),
    orderBy: orderOf({ order: search.order ?? order }, orders),
  })
