import { useState } from 'react'
import {
  DeliveriesDocument,
  type DeliveryFragment,
  type WebhookDeliveryState,
} from '../../../generated/dashboard/developers/graphql.ts'
import { formatNumber } from '../../parts/locale.ts'
import type { Column } from '../../parts/table.tsx'
import { List } from '../list/list.tsx'
import { choiceOf } from '../list/search.ts'
import { useListState } from '../list/use-list-state.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { Delivery } from './delivery.tsx'

const words = texts.developers.webhooks

const tones: Record<WebhookDeliveryState, Tone> = { SUCCEEDED: 'good', PENDING: 'wait', FAILED: 'bad' }
const states = Object.keys(tones) as WebhookDeliveryState[]
const addressed = states.map((state) => state.toLowerCase())

const columns: Column<DeliveryFragment>[] = [
  { name: words.eventType, cell: ({ eventType }) => <code>{eventType}</code>, csv: ({ eventType }) => eventType },
  {
    name: words.sentAt,
    cell: ({ createdAt }) => <Moment at={createdAt} hasSeconds />,
    csv: ({ createdAt }) => createdAt,
  },
  { name: words.response, cell: responseOf, csv: responseOf },
  { name: words.tries, cell: ({ triesCount }) => formatNumber(triesCount), csv: ({ triesCount }) => triesCount },
  {
    name: words.state,
    cell: ({ state }) => <Badge tone={tones[state]}>{words.deliveryStates[state]}</Badge>,
    isPlain: true,
    csv: ({ state }) => words.deliveryStates[state],
  },
]

function responseOf({ tries }: DeliveryFragment): string {
  const last = tries.at(-1)
  if (!last) return '–'
  return last.status === null ? (last.error ?? words.noResponse) : String(last.status)
}

/** What was sent to an endpoint, newest first, and what it responded. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const state = useListState()
  const [shown, setShown] = useState<DeliveryFragment>()
  return (
    <>
      <List
        state={state}
        noun={words.deliveryNoun}
        document={DeliveriesDocument}
        variables={({ state: given }, page) => {
          const wanted = choiceOf(given, addressed)?.toUpperCase() as WebhookDeliveryState | undefined
          return {
            ...page,
            where: { endpointId: { equals: endpointId }, ...(wanted && { state: { equals: wanted } }) },
          }
        }}
        isLive
        connection={({ webhookDeliveries }) => webhookDeliveries}
        columns={[
          ...columns,
          {
            name: texts.actions,
            isPlain: true,
            className: 'row-actions',
            cell: (delivery) => (
              <button type="button" onClick={() => setShown(delivery)}>
                {texts.details}
                <span className="unseen"> {delivery.eventType}</span>
              </button>
            ),
          },
        ]}
        filters={[
          {
            kind: 'choice',
            name: 'state',
            label: words.state,
            options: states.map((one) => ({ value: one.toLowerCase(), name: words.deliveryStates[one] })),
          },
        ]}
        empty={{ title: words.noDeliveries, text: words.noDeliveriesText }}
      />
      <Dialog title={shown?.eventType ?? ''} isOpen={!!shown} onClose={() => setShown(undefined)}>
        {shown && <Delivery id={shown.id} onDone={() => setShown(undefined)} />}
      </Dialog>
    </>
  )
}
