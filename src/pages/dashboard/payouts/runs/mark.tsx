import { useState } from 'react'
import {
  MarkPayoutRunPaidDocument,
  MarkPayoutRunSentDocument,
} from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { markPayoutRunInput } from '../../../../modules/payouts/runs/input.ts'
import { formatMoney } from '../../../parts/format.tsx'
import { useAction } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { FormFailure, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Run } from './run-type.ts'

const words = texts.payoutRuns

const checkReference = checkInput<{ reference: string }>(markPayoutRunInput)

/** Marks the open payments of a run as sent or paid, at the amounts of its file. */
export function MarkRun({ run }: { run: Run }) {
  const show = useToast()
  const [markSent] = useAction(MarkPayoutRunSentDocument)
  const [markPaid] = useAction(MarkPayoutRunPaidDocument)
  const [isAsking, setAsking] = useState(false)
  const form = useFields({ reference: run.reference ?? '' }, checkReference)
  const isSent = run.state === 'SENT'
  const open = run.totals.filter(({ state }) => state === 'PREPARED' || state === 'SENT')
  const count = open.reduce((sum, { payouts }) => sum + payouts, 0)
  const cents = open.reduce((sum, { amountCents }) => sum + BigInt(amountCents), 0n)
  const total = formatMoney(cents, run.currency)
  // A file that somebody has is paid as it is.
  const isBlocked =
    (run.changed.length > 0 && !run.fetchedAt && !isSent) || (run.needsApproval && run.state === 'PREPARED')

  const sent = form.handleSubmit(async ({ reference }) => {
    for (let state = ''; state !== 'SENT' && state !== 'PAID'; ) {
      const outcome = await markSent({ input: { id: run.id, reference: reference || null } })
      if (!outcome.data) return showRejection(form, outcome)
      state = outcome.data.markPayoutRunSent.payoutRun.state
    }
    show(words.wasSent)
  })
  const ask = form.handleSubmit(() => setAsking(true))
  // The service marks as many as it can in 20 seconds. The same request goes on.
  async function paid(): Promise<string | undefined> {
    const { reference } = form.getValues()
    for (let state = ''; state !== 'PAID'; ) {
      const { data, failure } = await markPaid({ input: { id: run.id, reference: reference || null } })
      if (!data) return failure
      state = data.markPayoutRunPaid.payoutRun.state
    }
    show(words.wasPaid)
  }
  const isDisabled = form.formState.isSubmitting || isBlocked
  return (
    <Card title={words.mark} lead={words.markLead(count, total)}>
      <form onSubmit={isSent ? ask : sent} noValidate className="narrow">
        <TextField form={form} name="reference" label={words.reference} hint={words.referenceHint} />
        <FormFailure form={form} />
        <div className="actions">
          {!isSent && (
            <button type="submit" className="primary" disabled={isDisabled}>
              {words.markSent}
            </button>
          )}
          <button
            type={isSent ? 'submit' : 'button'}
            className={isSent ? 'primary' : undefined}
            disabled={isDisabled}
            onClick={isSent ? undefined : ask}
          >
            {words.markPaid} …
          </button>
        </div>
      </form>
      <Confirm
        title={words.markPaidTitle(count)}
        text={<p>{words.markPaidText(count, total)}</p>}
        action={words.markPaid}
        isDanger={false}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={paid}
      />
    </Card>
  )
}
