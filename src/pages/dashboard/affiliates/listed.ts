import type { AffiliateOrder, AffiliateState, AffiliateWhere } from '../../../generated/dashboard/affiliates/graphql.ts'
import { states } from '../affiliate-name.tsx'
import { choiceOf, type ListSearch, orderOf } from '../list/search.ts'
import { type Definition, ownConditions } from './own-fields.tsx'

/** What the list of affiliates asks for, by its address. */
export function listedBy(
  search: ListSearch,
  definitions: readonly Definition[] = [],
): { where: AffiliateWhere; orderBy?: AffiliateOrder[] } {
  const state = choiceOf(search.state, addressed)?.toUpperCase() as AffiliateState | undefined
  const orderBy = orderOf(search, {
    affiliate: 'EMAIL',
    created: 'CREATED_AT',
    revenue: 'REVENUE',
    commissions: 'COMMISSIONS',
    due: 'DUE',
    paid: 'PAID',
  } as const)
  const own = ownConditions(definitions, search)
  return {
    where: {
      ...(own.length > 0 && { and: own }),
      ...(search.search !== undefined && { search: search.search }),
      ...(state && { state: { equals: state } }),
      ...(search.group !== undefined && { groupId: { equals: search.group } }),
      ...(search.campaign !== undefined && { campaignId: { equals: search.campaign } }),
    },
    ...(orderBy && { orderBy }),
  }
}

/** The states as the address has them. */
export const addressed = states.map((state) => state.toLowerCase())
