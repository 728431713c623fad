// What the fields of `Query` do to the database. Reading payouts writes: it collects due commissions into them first.
// Services do that by themselves (payouts, their files and exports), and for a GraphQL query fresh-payouts.ts does it
// before the first statement.
import { getNamedType, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql'
import type { SelectedField } from '../../graphql/cost.ts'
import type { ReadFrom } from '../../kernel/db.ts'

/** They write nothing and take no locks, so they can run before the API key is confirmed, and can run twice. */
export const pureReads: ReadonlySet<string> = new Set([
  'affiliates',
  'affiliate',
  'affiliateLinks',
  'affiliateLink',
  'affiliateCoupons',
  'affiliateCoupon',
  'campaigns',
  'campaign',
  'commissions',
  'commission',
  'customers',
  'customer',
  'program',
  'referrals',
  'referral',
  'sales',
  'sale',
])

/** Without replicas, all reads are on the primary. */
export const fromPrimary: ReadFrom = (context, run) => run(context)

/** Replicas answer them. */
export const replicaReads: ReadonlySet<string> = new Set([
  ...pureReads,
  'analytics',
  'exportAffiliates',
  'exportReferrals',
  'exportSales',
  'exportCommissions',
])

/** Whether an operation of REST, such as "Query.sales", is one of these fields. */
export const isOneOf = (fields: ReadonlySet<string>, operation: string): boolean =>
  operation.startsWith('Query.') && fields.has(operation.slice('Query.'.length))

/** Whether an operation of GraphQL is a query that selects only these fields. */
export const selectsOnly = (
  fields: ReadonlySet<string>,
  operation: OperationDefinitionNode | null | undefined,
): boolean =>
  operation?.operation === OperationTypeNode.QUERY &&
  operation.selectionSet.selections.every((one) => one.kind === Kind.FIELD && fields.has(one.name.value))

/** The record that `node` finds can be a payout. */
const typesWithPayouts = new Set(['Payout', 'PayoutConnection', 'Node'])

/** Whether due commissions have to be collected before a field is read. */
export function readsFreshPayouts({ type, extensions }: SelectedField): boolean {
  const { name } = getNamedType(type)
  return typesWithPayouts.has(name) && !extensions.asCollectedBefore
}
