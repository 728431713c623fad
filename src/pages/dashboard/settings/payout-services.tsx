import { useState } from 'react'
import {
  type ConnectedServiceFragment,
  PayoutServicesDocument,
  type PayoutServicesQuery,
} from '../../../generated/dashboard/settings/graphql.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { ConnectService } from './connect-service.tsx'
import { ServiceLimits } from './service-limits.tsx'

const words = texts.settings.services

type Available = PayoutServicesQuery['availablePayoutServices'][number]

/** The services that send payments by their API, and what the program may do there. */
export function PayoutServices() {
  const { data, failure, retry } = useData(PayoutServicesDocument, {})
  return (
    <Card title={words.title} lead={words.lead}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data?.availablePayoutServices.map((available) => (
        <Service
          key={available.service}
          available={available}
          connected={data.payoutServices.find(({ service }) => service === available.service)}
        />
      ))}
    </Card>
  )
}

type ServiceProps = { available: Available; connected: ConnectedServiceFragment | undefined }

function Service({ available, connected }: ServiceProps) {
  const { canManageKeys: isOwner } = useProgram()
  const [isConnecting, setConnecting] = useState(false)
  const { name } = available
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      {connected ? <Connected service={connected} /> : <p className="quiet">{words.notConnected(name)}</p>}
      {isOwner ? (
        <div className="actions">
          <button type="button" onClick={() => setConnecting(true)}>
            {connected ? words.replace : words.connect(name)} …
          </button>
        </div>
      ) : (
        <p className="quiet">{words.ownersOnly}</p>
      )}
      <Dialog
        title={words.connect(name)}
        lead={words.connectLead}
        isOpen={isConnecting}
        onClose={() => setConnecting(false)}
      >
        <ConnectService available={available} onDone={() => setConnecting(false)} />
      </Dialog>
    </section>
  )
}

function Connected({ service }: { service: ConnectedServiceFragment }) {
  const show = useToast()
  const { canChange, canManageKeys: isOwner } = useProgram()
  const [pause] = useAction(action('pausePayoutService'))
  const [resume] = useAction(action('resumePayoutService'))
  const [disconnect] = useAction(action('disconnectPayoutService'))
  const [isLeaving, setLeaving] = useState(false)
  const [isLimiting, setLimiting] = useState(false)
  const [failure, setFailure] = useState<string>()
  const input = { id: service.id }
  async function setPaused() {
    const outcome = service.pausedAt ? await resume({ input }) : await pause({ input })
    setFailure(outcome.data ? undefined : outcome.failure)
  }
  return (
    <>
      {failure && <FailureNotice message={failure} />}
      {service.problem && <p className="notice">{service.problem}</p>}
      {service.pausedAt && <p className="notice">{words.isPaused}</p>}
      <dl className="facts">
        <Fact name={words.account}>{service.account}</Fact>
        <Fact name={words.canPay}>{service.canPay}</Fact>
        <Fact name={words.checked}>
          <Moment at={service.checkedAt} />
        </Fact>
        <Fact name={words.webhook}>
          <Copyable text={service.webhookUrl} name={words.webhook} onStatus={show} />
        </Fact>
      </dl>
      <div className="actions">
        {canChange && (!service.pausedAt || isOwner) && (
          <button type="button" onClick={() => void setPaused()}>
            {service.pausedAt ? words.resume : words.pause}
          </button>
        )}
        {isOwner && (
          <button type="button" onClick={() => setLimiting(true)}>
            {words.limits} …
          </button>
        )}
        {isOwner && (
          <button type="button" onClick={() => setLeaving(true)}>
            {words.disconnect} …
          </button>
        )}
      </div>
      <Dialog title={words.limits} lead={words.limitsLead} isOpen={isLimiting} onClose={() => setLimiting(false)}>
        <ServiceLimits service={service} onDone={() => setLimiting(false)} />
      </Dialog>
      <Confirm
        title={words.disconnectTitle(service.name)}
        text={<p>{words.disconnectText}</p>}
        action={words.disconnect}
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        onConfirm={async () => {
          const outcome = await disconnect({ input })
          if (!outcome.data) return outcome.failure
          show(words.wasDisconnected(service.name))
          return undefined
        }}
      />
    </>
  )
}
