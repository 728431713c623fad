import { useState } from 'react'
import type { PageFragment } from '../../generated/portal/graphql.ts'
import { formatNumber } from '../parts/locale.ts'
import { type Column, Table } from '../parts/table.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { texts } from './texts.ts'
import type { QueryState } from './use-query.ts'

const pageSize = 10

type PageVariables = { first?: number; after?: string | null; last?: number; before?: string | null }
type Page = { variables: PageVariables; number: number }
const firstPage: Page = { variables: { first: pageSize }, number: 1 }

/** Which page of a list is shown: its number, and the variables that load it. */
export function usePaging() {
  const [{ variables, number }, setPage] = useState(firstPage)
  return {
    variables,
    number,
    restart: () => setPage(firstPage),
    newer: ({ startCursor }: PageFragment) =>
      setPage({ variables: { last: pageSize, before: startCursor }, number: number - 1 }),
    older: ({ endCursor }: PageFragment) =>
      setPage({ variables: { first: pageSize, after: endCursor }, number: number + 1 }),
  }
}

/** How many rows there are, and what the buttons are for. */
type ListWords = { caption(count: number): string; pages: string }

type PagedTableProps<Node> = {
  words: ListWords
  columns: readonly Column<Node>[]
  connection: { totalCount: number; nodes: Node[]; pageInfo: PageFragment } | undefined
  query: Pick<QueryState<unknown>, 'failure' | 'isLoading' | 'retry'>
  paging: ReturnType<typeof usePaging>
  emptyText: string
}

/** A list, newest first, ten rows a page. */
export function PagedTable<Node extends { id: string }>(props: PagedTableProps<Node>) {
  const { words, columns, connection, query, paging, emptyText } = props
  const { failure, isLoading, retry } = query
  return (
    <>
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
      {!connection && isLoading && <p className="quiet">{texts.loading}</p>}
      {connection?.totalCount === 0 && <p className="quiet">{emptyText}</p>}
      {connection && connection.totalCount > 0 && (
        <>
          <Table
            caption={words.caption(connection.totalCount)}
            columns={columns}
            rows={connection.nodes}
            keyOf={({ id }) => id}
            isBusy={isLoading}
          />
          <PageButtons
            label={words.pages}
            paging={paging}
            info={connection.pageInfo}
            count={connection.totalCount}
            isLoading={isLoading}
          />
        </>
      )}
    </>
  )
}

type PageButtonsProps = {
  label: string
  paging: ReturnType<typeof usePaging>
  info: PageFragment
  count: number
  isLoading: boolean
}

/** A button without a page to go to stays focusable, so that keyboard users keep their position. */
function PageButtons({ label, paging, info, count, isLoading }: PageButtonsProps) {
  if (count <= pageSize) return null
  const button = (name: string, hasPage: boolean, turn: (info: PageFragment) => void) => (
    <button type="button" aria-disabled={!hasPage || undefined} onClick={() => hasPage && !isLoading && turn(info)}>
      {name}
    </button>
  )
  return (
    <nav aria-label={label} className="pages">
      {button(texts.pages.newer, info.hasPreviousPage, paging.newer)}
      <p role="status" className="quiet">
        {texts.pages.position(formatNumber(paging.number), formatNumber(Math.ceil(count / pageSize)))}
      </p>
      {button(texts.pages.older, info.hasNextPage, paging.older)}
    </nav>
  )
}
