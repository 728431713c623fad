import { useState } from 'react'
import { DeliveryDocument } from '../../../generated/dashboard/developers/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { action } from '../api/action.ts'
import { useAsksAgain } from '../api/use-asks-again.ts'
import { useAction, useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Json } from '../ui/json.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.webhooks

/** One delivery: its tries, and what is sent. */
export function Delivery({ id, onDone }: { id: string; onDone(): void }) {
  const { canChange } = useProgram()
  const { data, failure, retry } = useData(DeliveryDocument, { id })
  const [redeliver, isRunning] = useAction(action('redeliver'))
  const [failed, setFailed] = useState<string>()
  const show = useToast()
  const delivery = data?.webhookDelivery
  useAsksAgain(delivery?.state === 'PENDING', retry)
  async function again() {
    const { failure } = await redeliver({ input: { deliveryId: id } })
    setFailed(failure)
    if (failure !== undefined) return
    show(words.redelivered)
    onDone()
  }
  return (
    <>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!delivery && !failure && <Skeleton lines={6} />}
      {delivery && (
        <>
          <p className="quiet">
            {words.eventId} <code>{delivery.eventId}</code>
          </p>
          {delivery.nextTryAt && (
            <p className="quiet">
              {words.nextTry} <Moment at={delivery.nextTryAt} hasSeconds />
            </p>
          )}
          <ol className="tries">
            {delivery.tries.map(({ at, status, error, response, durationMs }) => (
              <li key={at}>
                <p>
                  <strong>{status ?? error ?? words.noResponse}</strong>{' '}
                  <span className="quiet">
                    <Moment at={at} hasSeconds /> · {formatNumber(durationMs)} ms
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
          {delivery.body === null ? (
            <p className="quiet">{words.noBody}</p>
          ) : (
            <Json name={words.body} json={delivery.body} />
          )}
        </>
      )}
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
