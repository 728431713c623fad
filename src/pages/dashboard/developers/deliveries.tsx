import { useState } from 'react'
import {
  DeliveriesDocument,
  type DeliveryFragment,
  RedeliverDocument,
  type WebhookDeliveryState,
} from '../../../generated/dashboard/developers/graphql.ts'
import { formatNumber } from '../../parts/locale.ts'
import type { Column } from '../../parts/table.tsx'
import { useAction } from '../api/use-data.ts'
import { List } from '../list/list.tsx'
import { choiceOf } from '../list/search.ts'
import { useListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.webhooks

const tones: Record<WebhookDeliveryState, Tone> = { SUCCEEDED: 'good', PENDING: 'wait', FAILED: 'bad' }
const states = Object.keys(tones) as WebhookDeliveryState[]
const addressed = states.map((state) => state.toLowerCase())

const columns: Column<DeliveryFragment>[] = [
  { name: words.eventType, cell: ({ eventType }) => <code>{eventType}</code>, csv: ({ eventType }) => eventType },
  { name: words.sentAt, cell: ({ createdAt }) => <Moment at={createdAt} />, csv: ({ createdAt }) => createdAt },
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
        {shown && <Delivery delivery={shown} onDone={() => setShown(undefined)} />}
      </Dialog>
    </>
  )
}

function Delivery({ delivery, onDone }: { delivery: DeliveryFragment; onDone(): void }) {
  const { canChange } = useProgram()
  const [redeliver, isRunning] = useAction(RedeliverDocument)
  const [failed, setFailed] = useState<string>()
  const show = useToast()
  async function again() {
    const { failure } = await redeliver({ input: { deliveryId: delivery.id } })
    setFailed(failure)
    if (failure !== undefined) return
    show(words.redelivered)
    onDone()
  }
  return (
    <>
      <p className="quiet">
        {words.eventId} <code>{delivery.eventId}</code>
      </p>
      {delivery.nextTryAt && (
        <p className="quiet">
          {words.nextTry} <Moment at={delivery.nextTryAt} />
        </p>
      )}
      <ol className="tries">
        {delivery.tries.map(({ at, status, error, response, durationMs }) => (
          <li key={at}>
            <p>
              <strong>{status ?? error ?? words.noResponse}</strong>{' '}
              <span className="quiet">
                <Moment at={at} /> · {formatNumber(durationMs)} ms
              </span>
            </p>
            {response && (
              <pre>
                <code>{response}</code>
              </pre>
            )}
          </li>
        ))}
      </ol>
      {failed && (
        <p role="alert" className="form-failure">
          {failed}
        </p>
      )}
      {canChange && (
        <div className="dialog-foot">
          <button type="button" className="primary" disabled={isRunning} onClick={again}>
            {words.redeliver}
          </button>
        </div>
      )}
    </>
  )
}
