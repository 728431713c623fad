import { Link } from '@tanstack/react-router'
import {
  FailedRequestsDocument,
  type FailedRequestsQuery,
  type FailedRequestsQueryVariables,
} from '../../../generated/dashboard/developers/graphql.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import type { Column } from '../../parts/table.tsx'
import { List, type ListProps } from '../list/list.tsx'
import { ListPage } from '../list/list-page.tsx'
import { choiceOf, orderOf } from '../list/search.ts'
import { useLocalListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'

const { requests: words } = texts.developers

/** Those that the developers of a client can do something about. */
const errorCodes = ['INVALID_INPUT', 'NOT_FOUND', 'REFUSED', 'FORBIDDEN', 'BAD_REQUEST'] as const satisfies ErrorCode[]
/** The last one is of requests that succeeded, but repeated a report with other values. */
const codes = [...errorCodes, 'DIFFERENT_DUPLICATE'] as const

type FailedRequest = FailedRequestsQuery['failedRequests']['nodes'][number]

const columns: Column<FailedRequest>[] = [
  {
    name: words.request,
    cell: ({ method, path, operation }) => (
      <code>
        {method} {path}
        {path === '/graphql' && operation && ` ${operation}`}
      </code>
    ),
  },
  { name: words.status, cell: ({ status }) => status },
  { name: words.problem, cell: ({ problem }) => problem, className: 'reference' },
  { name: words.at, cell: ({ createdAt }) => <Moment at={createdAt} />, sort: 'time' },
]

const list: ListProps<FailedRequestsQuery, FailedRequestsQueryVariables, FailedRequest> = {
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

/** What went wrong between clients and the service, with filters. */
export const FailedRequests = () => (
  <ListPage
    {...list}
    title={words.title}
    lead={words.lead}
    filters={[
      {
        kind: 'choice',
        name: 'kind',
        label: words.kind,
        options: codes.map((value) => ({ value, name: words.kinds[value] })),
      },
    ]}
  />
)

/** The last few. */
export function RecentFailedRequests() {
  const state = useLocalListState()
  const { program } = useProgram()
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
      <List {...list} columns={columns.map(({ sort, ...column }) => column)} state={state} size={5} />
    </Card>
  )
}
