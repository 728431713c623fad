import type { ReactNode } from 'react'
import type { SavedViewList } from '../../../generated/dashboard/list/graphql.ts'
import { Page } from '../ui/page.tsx'
import { List } from './list.tsx'
import type { ListProps } from './props.ts'
import { SavedViews, SaveView } from './saved-views.tsx'
import { useListState } from './use-list-state.ts'

type ListPageProps<Data, Variables, Node> = ListProps<Data, Variables, Node> & {
  title: string
  /** Where a person can save filters and order under a name. */
  views?: SavedViewList
  lead?: ReactNode
  /** Buttons next to the title. */
  actions?: ReactNode
  /** Shown between the title and the list. */
  children?: ReactNode
}

/** A view that is one list. Its filters, order and page are in the address. */
export function ListPage<Data, Variables extends object, Node extends { id: string }>({
  title,
  views,
  lead,
  actions,
  children,
  ...list
}: ListPageProps<Data, Variables, Node>) {
  const state = useListState()
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <>
          {views && <SaveView list={views} search={state.search} />}
          {actions}
        </>
      }
    >
      {children}
      {views && <SavedViews list={views} search={state.search} />}
      <List {...list} state={state} />
    </Page>
  )
}
