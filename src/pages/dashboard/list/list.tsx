import { type ReactNode, useRef, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatCount } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { type Document, useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Empty } from '../ui/empty.tsx'
import { Scrolls } from '../ui/scrolls.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Filter, Filters } from './filters.tsx'
import { type ListSearch, type PageVariables, pageOf, pageSize } from './search.ts'
import type { ListState } from './use-list-state.ts'

type PageInfo = {
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
}

/** A list that is paged by cursors: filters, sorting by its columns, and what to show when there is nothing. */
export function List<Data, Variables extends object, Node extends { id: string }>({
  state,
  ...props
}: ListProps<Data, Variables, Node> & { state: ListState }) {
  const { noun, columns, filters = [], empty, bulk, size = pageSize } = props
  const { search, filter } = state
  const { data, failure, isLoading, retry } = useData(props.document, props.variables(search, pageOf(search, size)))
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const connection = data && props.connection(data)
  const isFiltered = filters.some(({ name }) => search[name] !== undefined)
  // Without a choice, the list leaves rows out: also an empty one has to offer the choice.
  const hidesRows = filters.some((one) => one.kind === 'choice' && one.all !== undefined)
  const isEmpty = connection?.totalCount === 0
  // Selected rows of other pages stay selected, so they are remembered.
  const shown = useRef(new Map<string, Node>())
  for (const node of connection?.nodes ?? []) if (bulk) shown.current.set(node.id, node)
  const selected = [...keys].flatMap((key) => shown.current.get(key) ?? [])
  const nameOf = (key: string) => {
    const node = shown.current.get(key)
    return node && bulk ? bulk.nameOf(node) : ''
  }
  return (
    <div className="list">
      {filters.length > 0 && (!isEmpty || isFiltered || hidesRows) && <Filters filters={filters} state={state} />}
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!connection && isLoading && <Skeleton lines={6} />}
      {isEmpty &&
        (isFiltered ? <Empty title={texts.list.noMatch} text={texts.list.noMatchText} /> : <Empty {...empty} />)}
      {bulk && keys.size > 0 && (
        <div className="bulk">
          <p role="status">{texts.list.selected(keys.size)}</p>
          {bulk.actions(keys, () => setKeys(new Set()), selected)}
        </div>
      )}
      {connection && !isEmpty && (
        <>
          <Scrolls name={formatCount(connection.totalCount, noun)}>
            <Table
              caption={formatCount(connection.totalCount, noun)}
              columns={columns}
              rows={connection.nodes}
              keyOf={({ id }) => id}
              isBusy={isLoading}
              order={search.order}
              onOrder={(order) => filter({ order })}
              selection={bulk && { keys, onChange: setKeys, nameOf }}
            />
          </Scrolls>
          <Pages noun={noun} info={connection.pageInfo} state={state} isLoading={isLoading} />
        </>
      )}
    </div>
  )
}

type PagesProps = { noun: string; info: PageInfo; state: ListState; isLoading: boolean }

/** A button without a page to go to stays focusable, so that keyboard users keep their position. */
function Pages({ noun, info, state, isLoading }: PagesProps) {
  if (!info.hasNextPage && !info.hasPreviousPage) return null
  const button = (name: string, hasPage: boolean, turn: () => void) => (
    <button type="button" aria-disabled={!hasPage} onClick={() => hasPage && !isLoading && turn()}>
      {name}
    </button>
  )
  return (
    <nav aria-label={texts.list.pagesOf(noun)} className="pages">
      {button(texts.list.previous, info.hasPreviousPage, () => state.turn({ before: info.startCursor ?? undefined }))}
      {button(texts.list.next, info.hasNextPage, () => state.turn({ after: info.endCursor ?? undefined }))}
    </nav>
  )
}
