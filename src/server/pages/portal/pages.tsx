import { useState } from 'react'
import type { PageFragment } from '../../../generated/portal/graphql.ts'

const pageSize = 10

export type Place = { first?: number; after?: string | null; last?: number; before?: string | null }
type Standing = { place: Place; page: number }
const start: Standing = { place: { first: pageSize }, page: 1 }

/** Where in a list its reader is. */
export function usePages() {
  const [{ place, page }, stand] = useState(start)
  return {
    place,
    page,
    restart: () => stand(start),
    newer: ({ startCursor }: PageFragment) => stand({ place: { last: pageSize, before: startCursor }, page: page - 1 }),
    older: ({ endCursor }: PageFragment) => stand({ place: { first: pageSize, after: endCursor }, page: page + 1 }),
  }
}

type PagesProps = {
  of: string
  pages: ReturnType<typeof usePages>
  info: PageFragment
  count: number
  isLoading: boolean
}

/** Buttons stay what they are where there is nothing more, so that nobody loses their place on the page. */
export function Pages({ of, pages, info, count, isLoading }: PagesProps) {
  if (count <= pageSize) return null
  const button = (name: string, isThere: boolean, turn: (info: PageFragment) => void) => (
    <button type="button" aria-disabled={!isThere} onClick={() => isThere && !isLoading && turn(info)}>
      {name}
    </button>
  )
  return (
    <nav aria-label={`Pages of ${of}`} className="pages">
      {button('Newer', info.hasPreviousPage, pages.newer)}
      <p role="status" className="quiet">
        Page {pages.page} of {Math.ceil(count / pageSize)}
      </p>
      {button('Older', info.hasNextPage, pages.older)}
    </nav>
  )
}
