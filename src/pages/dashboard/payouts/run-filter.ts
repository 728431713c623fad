import type { PayoutWhere } from '../../../generated/dashboard/payouts/graphql.ts'
import { texts } from '../texts.ts'

const words = texts.payouts

/** What the list of open payouts can be narrowed to. Without a choice it shows what can be paid. */
export const shownOptions = [
  { value: 'below', name: words.notYet },
  { value: 'sent', name: words.states.sent },
  { value: 'all', name: texts.list.all },
]

/** The condition for open payouts that are shown. @param show the choice that the address names */
export function shownWhere(show: string | undefined): PayoutWhere {
  if (show === 'all') return {}
  if (show === 'sent') return { sentAt: { not: null } }
  return show === 'below' ? { isPayable: { equals: false }, sentAt: { equals: null } } : { isPayable: { equals: true } }
}
