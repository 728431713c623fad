import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListSearch } from './search.ts'

/** What a list shows, and how that is changed. */
export type ListState = {
  search: ListSearch
  /** Changes filters or the order, and goes to the first page. */
  filter(changes: ListSearch): void
  turn(page: Pick<ListSearch, 'after' | 'before'>): void
}

const atFirstPage = { after: undefined, before: undefined }

/** Keeps it in the address, so that a view can be bookmarked and sent. For the one list of a view. */
export function useListState(): ListState {
  const search = useSearch({ strict: false }) as ListSearch
  const navigate = useNavigate()
  const change = (changes: ListSearch, replace: boolean) =>
    // The list does not know which route it is on, so the router cannot check the address.
    navigate({
      to: '.',
      search: ((last: ListSearch) => ({ ...last, ...changes })) as never,
      replace,
      resetScroll: false,
    })
  return {
    search,
    filter: (changes) => void change({ ...changes, ...atFirstPage }, true),
    turn: (page) => void change({ ...atFirstPage, ...page }, false),
  }
}

/** Keeps it in the component. For a list that is one of several in a view. */
export function useLocalListState(initial: ListSearch = {}): ListState {
  const [search, setSearch] = useState(initial)
  const change = (changes: ListSearch) => setSearch((last) => ({ ...last, ...changes }))
  return {
    search,
    filter: (changes) => change({ ...changes, ...atFirstPage }),
    turn: (page) => change({ ...atFirstPage, ...page }),
  }
}
