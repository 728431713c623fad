import { Link } from '@tanstack/react-router'
import { type EndpointFragment, WebhookEndpointsDocument } from '../../../generated/dashboard/developers/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { CreateEndpoint } from './create-endpoint.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { ListCard } from './list-card.tsx'

const words = texts.developers.webhooks

const columns: Column<EndpointFragment>[] = [
  { name: words.url, cell: ({ id, url }) => <EndpointLink id={id} url={url} />, csv: ({ url }) => url },
  {
    name: words.description,
    cell: ({ description }) => description ?? '–',
    isEmpty: ({ description }) => !description,
    csv: ({ description }) => description,
  },
  {
    name: words.events,
    cell: ({ eventTypes }) => words.eventCount(eventTypes.length),
    csv: ({ eventTypes }) => eventTypes.join(' '),
  },
  { name: words.format, cell: ({ format }) => words.formats[format], csv: ({ format }) => words.formats[format] },
  { name: words.state, cell: (endpoint) => <EndpointState endpoint={endpoint} />, isPlain: true },
]

function EndpointLink({ id, url }: { id: string; url: string }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/developers/webhooks/$id" params={{ program: program.slug, id }}>
      {url.replace(/^https:\/\//, '')}
    </Link>
  )
}

/** Where the service sends events. */
export const Webhooks = () => (
  <ListCard
    words={words}
    noun="endpoint"
    document={WebhookEndpointsDocument}
    connection={({ webhookEndpoints }) => webhookEndpoints}
    columns={columns}
    form={(onDone) => <CreateEndpoint onDone={onDone} />}
  />
)
