import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo, OperationDefinitionNode, ResponsePath } from 'graphql'
import { withUsedColumns } from '../execution/columns.ts'
import type { PlannedInfo } from '../execution/execute.ts'
import { rowShapeAt } from '../execution/plan.ts'
import { writerOf } from '../execution/write.ts'
import type { GraphQLContext } from './context.ts'

/** The queries of operations that select the same rows in every request, by field. */
const kept = new WeakMap<OperationDefinitionNode, Map<string, object>>()

/** Caches the queries of an operation for written rows, if its selection depends on neither variables nor caller. */
export const keepQueries = (operation: OperationDefinitionNode): void => void kept.set(operation, new Map())

/** The Prisma query for a row at `path` below a field, for a field that reads the row itself. */
export const nestedQuery = (
  context: GraphQLContext,
  info: GraphQLResolveInfo,
  typeName: string,
  path: string[],
): object => keptQuery(info, path, () => queryFromInfo({ context, info, typeName, path }))

/** The query that `plan` returns for the rows at `path`. For written rows, it is planned once for the columns used. */
export function keptQuery(info: GraphQLResolveInfo, path: readonly string[], plan: () => object): object {
  const queries = kept.get(info.operation)
  const { plan: field } = info as PlannedInfo
  const rows = queries && field && rowShapeAt(field.shape, path)
  // Rows that are not written are completed by resolvers, which ask Pothos for what was loaded.
  if (!rows || !writerOf(rows)) return plan()
  const key = `${placeOf(info.path)} ${path}`
  const known = queries.get(key)
  if (known) return known
  const query = withUsedColumns(plan() as Record<string, unknown>, rows.selection())
  queries.set(key, query)
  return query
}

/** The names on a path. All entries of a list have the same place. */
const placeOf = ({ prev, key }: ResponsePath): string =>
  `${prev ? placeOf(prev) : ''}${typeof key === 'number' ? '' : `.${key}`}`
