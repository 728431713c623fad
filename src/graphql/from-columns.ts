import type { GraphQLContext } from './context.ts'

/** The options of a field that is computed from these columns of its row, and reads nothing else of it. */
export const fromColumns =
  <Row extends object>() =>
  <const Column extends keyof Row & string, Value>(
    columns: readonly Column[],
    resolve: (row: Pick<Row, Column>, args: object, ctx: GraphQLContext) => Value,
  ) => ({ extensions: { columns }, resolve })
