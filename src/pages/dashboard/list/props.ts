import type { ReactNode } from 'react'
import type { Column } from '../../parts/table.tsx'
import type { Document } from '../api/use-data.ts'
import type { Filter } from './filters.tsx'
import type { ListSearch, PageVariables } from './search.ts'

export type PageInfo = {
  hasNextPage: boolean
  hasPreviousPage: boolean
  startCursor: string | null
  endCursor: string | null
}
export type Connection<Node> = { totalCount: number; nodes: readonly Node[]; pageInfo: PageInfo }

export type ListProps<Data, Variables, Node> = {
  /** What a row is: "commission". */
  noun: string
  document: Document<Data, Variables>
  /** The query's variables for what the address says. */
  variables(search: ListSearch, page: PageVariables): Variables
  connection(data: Data): Connection<Node>
  columns: readonly Column<Node>[]
  filters?: readonly Filter[]
  /** What a list without any rows says. With filters that match no row, the list says that itself. */
  empty: { title: string; text: ReactNode; action?: ReactNode }
  /** Makes rows selectable, and shows what can be done with the selected ones. `rows` are as they were last shown. */
  bulk?: {
    nameOf(node: Node): string
    actions(keys: ReadonlySet<string>, clear: () => void, rows: readonly Node[]): ReactNode
  }
  size?: number
  /** Rows come and change by themselves, so the list asks for them again and again. */
  isLive?: boolean
}
