/** Rows as the database sent them, for rows that are only written as JSON. A value that is read is converted then. */

/** What the database has sent of each column: text; in rows that are JSON, a value of JSON. Null is null. */
export type Cells = readonly unknown[]

export type StoredPart =
  /** `type` is Prisma's name of the column's type, or `Enum`. */
  | { kind: 'column'; index: number; type: string }
  /** A joined row, in the same cells. It is missing if the cell at `idIndex` is null. */
  | { kind: 'row'; idIndex: number | null; layout: Layout }
  /** Related rows: a list of their cells, as JSON. */
  | { kind: 'rows'; index: number; layout: Layout }
  /** Something that has to be computed. */
  | { kind: 'value' }

export type Layout = {
  /** Whether the cells are values of JSON. */
  isJson: boolean
  parts: ReadonlyMap<string, StoredPart>
  rowOf(cells: Cells): StoredRow
}

/** A row whose fields are properties that read its cells. They are not its own, so that copies do not have them. */
export abstract class StoredRow {
  constructor(readonly cells: Cells) {}
  abstract readonly layout: Layout
}

export const relatedCells = (cell: unknown, isJson: boolean): Cells[] =>
  isJson ? (cell as Cells[]) : JSON.parse(cell as string)

const stored = Symbol('stored rows')

/** The query for rows that are only written. It may return other rows all the same. */
export const forStoredRows = <Query extends object>(query: Query): Query => ({ ...query, [stored]: true })

export const wantsStoredRows = (query: object): boolean => stored in query
