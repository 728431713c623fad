import { useState } from 'react'
import {
  QuoteRunDocument,
  type QuoteRunMutation,
  SendRunDocument,
} from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import { formatNumber } from '../../../parts/locale.ts'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { actorName } from '../../history/timeline.tsx'
import { Fact } from '../../money/fact.tsx'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Run } from './run-type.ts'

const words = texts.payoutRuns.byService

type Quote = NonNullable<QuoteRunMutation['quotePayoutRun']>['quote']

/** Sends a run by the API of a connected service, and asks what became of it. */
export function SendRun({ run }: { run: Run }) {
  const show = useToast()
  const [quoteRun] = useAction(QuoteRunDocument)
  const [refreshRun] = useAction(action('refreshPayoutRun'))
  const [quote, setQuote] = useState<Quote>()
  const [failure, setFailure] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { connectedService: service, handedOverAt } = run
  if (!service) return null
  const { name } = service
  const isOpen = run.state === 'PREPARED' || run.state === 'APPROVED'
  // A run that was marked as sent by its file is not sent again.
  if (!isOpen && !handedOverAt) return null
  const isBlocked = (run.needsApproval && run.state === 'PREPARED') || service.pausedAt !== null

  async function during<T>(work: () => Promise<{ data?: T | undefined; failure?: string | undefined }>) {
    setBusy(true)
    const outcome = await work()
    setBusy(false)
    setFailure(outcome.data ? undefined : outcome.failure)
    return outcome.data
  }
  const ask = async () => {
    const data = await during(() => quoteRun({ input: { id: run.id } }))
    setQuote(data?.quotePayoutRun.quote)
  }
  const refresh = async () => {
    if (await during(() => refreshRun({ input: { id: run.id } }))) show(words.asked(name))
  }
  const unknown = run.unknown.totalCount
  return (
    <Card title={words.title(name)} lead={handedOverAt ? words.sentLead(name) : words.lead(name)}>
      {failure && <FailureNotice message={failure} />}
      {run.serviceProblem && <p className="notice">{run.serviceProblem}</p>}
      {run.handOvers.map(({ text, expiresAt }) => (
        <p key={text} className="notice">
          {text}
          {expiresAt && (
            <>
              {` ${words.quoteEnds} `}
              <Moment at={expiresAt} />
            </>
          )}
        </p>
      ))}
      {unknown > 0 && <p className="notice">{words.unknown(unknown, name)}</p>}
      {service.pausedAt && <p className="notice">{words.paused(name)}</p>}
      <dl className="facts">
        {handedOverAt && (
          <Fact name={words.handedOver}>
            <Moment at={handedOverAt} />
          </Fact>
        )}
        {run.nextStepAt && (
          <Fact name={words.nextStep}>
            <Moment at={run.nextStepAt} />
          </Fact>
        )}
        {!quote && <Fact name={words.account}>{service.canPay}</Fact>}
        {quote && <QuoteFacts quote={quote} />}
      </dl>
      {quote?.notes.map((note) => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
      <div className="actions">
        {isOpen && (
          <button type="button" disabled={isBusy} onClick={() => void ask()}>
            {words.quote}
          </button>
        )}
        {isOpen && (
          <button type="button" className="primary" disabled={isBusy || isBlocked} onClick={() => setAsking(true)}>
            {handedOverAt ? words.goOn(name) : words.send(name)}
          </button>
        )}
        {handedOverAt && (
          <button type="button" disabled={isBusy} onClick={() => void refresh()}>
            {words.refresh(name)}
          </button>
        )}
      </div>
      <ConfirmSend run={run} name={name} isOpen={isAsking} onClose={() => setAsking(false)} />
    </Card>
  )
}

const QuoteFacts = ({ quote }: { quote: Quote }) => (
  <>
    <Fact name={words.payments}>
      {formatNumber(quote.payments)} · {formatMoney(quote.amountCents, quote.currency)}
    </Fact>
    <Fact name={words.fee}>
      {quote.feeCents === null ? words.feeLater : formatMoney(quote.feeCents, quote.feeCurrency ?? quote.currency)}
    </Fact>
    {quote.balanceCents !== null && (
      <Fact name={words.balance}>
        {formatMoney(quote.balanceCents, quote.currency)}
        {quote.isEnough === false && ` · ${words.notEnough}`}
      </Fact>
    )}
    {quote.expiresAt && (
      <Fact name={words.expires}>
        <Moment at={quote.expiresAt} />
      </Fact>
    )}
  </>
)

type ConfirmSendProps = { run: Run; name: string; isOpen: boolean; onClose(): void }

/** Names the sum, and that somebody has the file: paid twice is paid twice. */
function ConfirmSend({ run, name, isOpen, onClose }: ConfirmSendProps) {
  const show = useToast()
  const [sendRun] = useAction(SendRunDocument)
  const total = formatMoney(run.amountCents, run.currency)
  const isFetched = run.fetchedAt !== null && run.handedOverAt === null
  async function send(): Promise<string | undefined> {
    const { data, failure } = await sendRun({ input: { id: run.id, confirmFileNotPaid: isFetched } })
    if (!data) return failure
    show(data.sendPayoutRun.payoutRun.serviceProblem ?? words.wasSent(name))
    return undefined
  }
  return (
    <Confirm
      title={words.confirmTitle(run.payouts, name)}
      text={
        <>
          <p>{words.confirmText(run.payouts, total, name)}</p>
          {isFetched && <p>{words.confirmFile(run.fetchedBy ? actorName(run.fetchedBy) : words.somebody)}</p>}
        </>
      }
      action={words.send(name).replace(' …', '')}
      isDanger={isFetched}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={send}
    />
  )
}
