import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type EndpointFragment, WebhookEndpointsDocument } from '../../../generated/dashboard/developers/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { useAsked } from '../find/asked.ts'
import { List } from '../list/list.tsx'
import { useLocalListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CreateEndpoint } from './create-endpoint.tsx'
import { EndpointState } from './endpoint-state.tsx'

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
export function Webhooks() {
  const { canChange } = useProgram()
  const state = useLocalListState()
  const [isCreating, setCreating] = useState(false)
  useAsked('endpoint', () => setCreating(canChange))
  const create = canChange && (
    <button type="button" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  return (
    <Card title={words.title} lead={words.lead} actions={create}>
      <List
        state={state}
        noun="endpoint"
        size={10}
        document={WebhookEndpointsDocument}
        variables={(_, page) => page}
        connection={({ webhookEndpoints }) => webhookEndpoints}
        columns={columns}
        empty={{ title: words.none, text: words.noneText }}
      />
      <Dialog title={words.create} lead={words.createLead} isOpen={isCreating} onClose={() => setCreating(false)}>
        <CreateEndpoint onDone={() => setCreating(false)} />
      </Dialog>
    </Card>
  )
}
