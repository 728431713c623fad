// What the fields of `Query` do to the database. Reading payouts writes: it collects due commissions into them first.
// Services do that by themselves (payouts, their files and exports), and for a GraphQL query fresh-payouts.ts does it
// before the first statement.
import { getNamedType, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql'
import type { SelectedField } from '../../graphql/cost.ts'
import type { ReadFrom } from '../../kernel/db.ts'
import { publicSchema } from '../../schema/schema.ts'

/** The record that `node` finds can be a payout. */
const typesWithPayouts = new Set(['Payout', 'PayoutConnection', 'Node'])

/** Whether due commissions have to be collected before a field is read. */
export function readsFreshPayouts({ type, extensions }: Pick<SelectedField, 'type' | 'extensions'>): boolean {
  const { name } = getNamedType(type)
  return typesWithPayouts.has(name) && !extensions.asCollectedBefore
}

const pureReads = new Set(
  Object.values(publicSchema.getQueryType()?.getFields() ?? {})
    .filter((field) => field.extensions.isPureRead === true && !readsFreshPayouts(field))
    .map(({ name }) => name),
)

/**
 * Whether a field of `Query` writes nothing and takes no locks, so that it can run before the API key is confirmed, and
 * can run twice. The mark `isPureRead` stands at the field: connections and look-ups have it.
 */
export const isPureRead = (name: string): boolean => pureReads.has(name)

/** Without replicas, all reads are on the primary. */
export const fromPrimary: ReadFrom = (context, run) => run(context)

const reports = new Set(['analytics', 'exportAffiliates', 'exportReferrals', 'exportSales', 'exportCommissions'])

/** Whether replicas answer a field of `Query`. */
export const isReplicaRead = (name: string): boolean => isPureRead(name) || reports.has(name)

/** Whether an operation of REST, such as "Query.sales", is such a field. */
export const isOperationOf = (isOne: (field: string) => boolean, operation: string): boolean =>
  operation.startsWith('Query.') && isOne(operation.slice('Query.'.length))

/** Whether an operation of GraphQL is a query that selects only such fields. */
export const selectsOnly = (
  isOne: (field: string) => boolean,
  operation: OperationDefinitionNode | null | undefined,
): boolean =>
  operation?.operation === OperationTypeNode.QUERY &&
  operation.selectionSet.selections.every((one) => one.kind === Kind.FIELD && isOne(one.name.value))
