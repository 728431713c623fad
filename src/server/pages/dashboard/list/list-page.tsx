import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { List, type ListProps } from './list.tsx'
import { useListState } from './use-list-state.ts'

type ListPageProps<Data, Variables, Node> = ListProps<Data, Variables, Node> & {
  title: string
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Shown between the title and the list. */
  children?: ReactNode
}

/** A view that is one list. Its filters, order and page are in the address. */
export function ListPage<Data, Variables extends object, Node extends { id: string }>({
  title,
  lead,
  actions,
  children,
  ...list
}: ListPageProps<Data, Variables, Node>) {
  const state = useListState()
  return (
    <Page title={title} lead={lead} actions={actions}>
      {children}
      <List {...list} state={state} />
    </Page>
  )
}
