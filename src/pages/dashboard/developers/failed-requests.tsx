import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  FailedRequestsDocument,
  type FailedRequestsQuery,
  type FailedRequestsQueryVariables,
} from '../../../generated/dashboard/developers/graphql.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import type { Column } from '../../parts/table.tsx'
import { List } from '../list/list.tsx'
import { ListPage } from '../list/list-page.tsx'
import type { ListProps } from '../list/props.ts'
import { choiceOf, orderOf } from '../list/search.ts'
import { useLocalListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { type Failed, FailedRequest, Problems, problemsOf } from './failed-request.tsx'

const { requests: words } = texts.developers

/** Those that the developers of a client can do something about. */
const errorCodes = ['INVALID_INPUT', 'NOT_FOUND', 'REFUSED', 'FORBIDDEN', 'BAD_REQUEST'] as const satisfies ErrorCode[]
/** The last one is of requests that succeeded, but repeated a report with other values. */
const codes = [...errorCodes, 'DIFFERENT_DUPLICATE'] as const

const requestOf = ({ method, path, operation }: Failed) =>
  [method, path, path === '/graphql' && operation].filter(Boolean).join(' ')

const columns: Column<Failed>[] = [
  { name: words.request, cell: (request) => <code>{requestOf(request)}</code>, csv: requestOf },
  { name: words.status, cell: ({ status }) => status, csv: ({ status }) => status },
  {
    name: words.problem,
    cell: (request) => <Problems request={request} />,
    className: 'reference',
    csv: (request) => problemsOf(request).join('; '),
  },
  { name: words.key, cell: ({ apiKeyName }) => apiKeyName ?? '–', csv: ({ apiKeyName }) => apiKeyName },
  {
    name: words.requestId,
    cell: ({ requestId }) => <code>{requestId}</code>,
    csv: ({ requestId }) => requestId,
    isExtra: true,
  },
  {
    name: words.at,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
    sort: 'time',
    csv: ({ createdAt }) => createdAt,
  },
]

const list: ListProps<FailedRequestsQuery, FailedRequestsQueryVariables, Failed> = {
  noun: words.noun,
  document: FailedRequestsDocument,
  variables(search, page) {
    const code = choiceOf(search.kind, codes)
    return {
      ...page,
      where: code ? { code: { equals: code } } : null,
      orderBy: orderOf(search, { time: 'CREATED_AT' }),
    }
  },
  connection: ({ failedRequests }) => failedRequests,
  columns,
  empty: { title: words.none, text: words.noneText },
}

/** The columns with a button that shows everything of a request, and the window that it opens. */
function useDetails() {
  const [shown, setShown] = useState<Failed>()
  const actions: Column<Failed> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (request) => (
      <button type="button" onClick={() => setShown(request)}>
        {texts.details}
        <span className="unseen"> {requestOf(request)}</span>
      </button>
    ),
  }
  const dialog = (
    <Dialog title={shown ? requestOf(shown) : ''} isOpen={!!shown} onClose={() => setShown(undefined)}>
      {shown && <FailedRequest request={shown} />}
    </Dialog>
  )
  return { columns: [...columns, actions], dialog }
}

/** What went wrong between clients and the service, with filters. */
export function FailedRequests() {
  const { program } = useProgram()
  const details = useDetails()
  return (
    <ListPage
      {...list}
      title={words.title}
      lead={
        <>
          <Link to="/$program/developers" params={{ program: program.slug }}>
            {texts.views.developers}
          </Link>{' '}
          {words.lead}
        </>
      }
      columns={details.columns}
      filters={[
        {
          kind: 'choice',
          name: 'kind',
          label: words.kind,
          options: codes.map((value) => ({ value, name: words.kinds[value] ?? value })),
        },
      ]}
    >
      {details.dialog}
    </ListPage>
  )
}

/** The last few. */
export function RecentFailedRequests() {
  const state = useLocalListState()
  const { program } = useProgram()
  const details = useDetails()
  return (
    <Card
      title={words.title}
      lead={words.lead}
      actions={
        <Link to="/$program/developers/requests" params={{ program: program.slug }} className="button">
          {words.all}
        </Link>
      }
    >
      <List {...list} columns={details.columns.map(({ sort, ...column }) => column)} state={state} size={5} />
      {details.dialog}
    </Card>
  )
}
