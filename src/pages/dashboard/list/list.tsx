import { useRef, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatCount } from '../../parts/format.tsx'
import { SelectAll, Table } from '../../parts/table.tsx'
import { useAsksAgain } from '../api/use-asks-again.ts'
import { useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Empty } from '../ui/empty.tsx'
import { Scrolls } from '../ui/scrolls.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { shownColumns } from './columns.ts'
import { Filters } from './filters.tsx'
import type { ListProps, PageInfo } from './props.ts'
import { pageOf, pageSize } from './search.ts'
import { Tools } from './tools.tsx'
import type { ListState } from './use-list-state.ts'

/** A list that is paged by cursors: filters, sorting by its columns, and what to show when there is nothing. */
export function List<Data, Variables extends object, Node extends { id: string }>({
  state,
  ...props
}: ListProps<Data, Variables, Node> & { state: ListState }) {
  const { noun, columns, filters = [], empty, bulk, size = pageSize, isLive = false } = props
  const { search, filter } = state
  const { data, failure, problems, isLoading, retry } = useData(
    props.document,
    props.variables(search, pageOf(search, size)),
  )
  useAsksAgain(isLive, retry)
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const connection = data && props.connection(data)
  // The address can name a place that the list does not have, such as that of another order.
  const isPageLost = failure !== undefined && ('after' in problems || 'before' in problems)
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
  const selection = bulk && { keys, onChange: setKeys, nameOf }
  return (
    <div className="list">
      <div className="list-head">
        {filters.length > 0 && (!isEmpty || isFiltered || hidesRows) && <Filters filters={filters} state={state} />}
        {connection && (!isEmpty || isFiltered) && <Tools list={props} state={state} />}
      </div>
      {failure && !isPageLost && <FailureNotice message={failure} onRetry={retry} />}
      {isPageLost && (
        <div className="failure" role="alert">
          <p>{texts.list.pageLost}</p>
          <button type="button" onClick={() => state.turn({})}>
            {texts.list.firstPage}
          </button>
        </div>
      )}
      {!connection && isLoading && <Skeleton lines={6} />}
      {/* A filter that finds nothing leaves everything in its place. */}
      {selection && connection && (!isEmpty || isFiltered) && (
        <div className={isEmpty ? 'phone-only reserved' : 'phone-only'}>
          <SelectAll keys={connection.nodes.map(({ id }) => id)} selection={selection} label={texts.list.selectAll} />
          <span aria-hidden="true">{texts.list.selectAll}</span>
        </div>
      )}
      {isEmpty &&
        (isFiltered ? <Empty title={texts.list.noMatch} text={texts.list.noMatchText} /> : <Empty {...empty} />)}
      {connection && !isEmpty && (
        <>
          <Scrolls name={formatCount(connection.totalCount, noun)}>
            <Table
              caption={formatCount(connection.totalCount, noun)}
              columns={shownColumns(columns, search)}
              rows={connection.nodes}
              keyOf={({ id }) => id}
              isBusy={isLoading && !isLive}
              order={search.order}
              onOrder={(order) => filter({ order })}
              selection={selection}
            />
          </Scrolls>
          <Pages noun={noun} info={connection.pageInfo} state={state} isLoading={isLoading} />
        </>
      )}
      {bulk && keys.size > 0 && (
        <div className="bulk">
          <p role="status">{texts.list.selected(keys.size)}</p>
          {bulk.actions(keys, () => setKeys(new Set()), selected)}
          <button type="button" className="plain" onClick={() => setKeys(new Set())}>
            {texts.list.none}
          </button>
        </div>
      )}
    </div>
  )
}

type PagesProps = { noun: string; info: PageInfo; state: ListState; isLoading: boolean }

/** A button without a page to go to stays focusable, so that keyboard users keep their position. */
function Pages({ noun, info, state, isLoading }: PagesProps) {
  if (!info.hasNextPage && !info.hasPreviousPage) return null
  const button = (name: string, hasPage: boolean, turn: () => void) => (
    <button type="button" aria-disabled={!hasPage || undefined} onClick={() => hasPage && !isLoading && turn()}>
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
