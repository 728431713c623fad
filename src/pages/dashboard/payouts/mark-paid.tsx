import { useState } from 'react'
import type { PayoutFragment } from '../../../generated/dashboard/payouts/graphql.ts'
import { payPayoutsInput } from '../../../modules/payouts/input.ts'
import { formatMoney } from '../../parts/format.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { TextField } from '../form/fields.tsx'
import { useFields } from '../form/use-fields.ts'
import { totalsOf } from '../money/totals.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { stateOf } from './payable.ts'
import { useAllPayouts } from './use-all-payouts.ts'

const words = texts.payouts

/** The most payouts that one request can pay. */
const groupSize = 100

type MarkPaidProps = {
  /** Undefined while the dialog is closed. */
  payouts: readonly PayoutFragment[] | undefined
  onClose(): void
  onPaid?: (() => void) | undefined
}

/** Marks payouts as paid, at the amounts that the person has seen. */
export const MarkPaid = ({ payouts, onClose, onPaid }: MarkPaidProps) => {
  const count = payouts?.filter((payout) => stateOf(payout) === 'ready').length ?? 0
  return (
    <Dialog title={words.payTitle(count)} lead={words.payLead} isOpen={!!payouts} onClose={onClose}>
      {payouts && <Run seen={payouts} onClose={onClose} onPaid={onPaid} />}
    </Dialog>
  )
}

const checkReference = checkInput<{ reference: string }>(payPayoutsInput.pick({ reference: true }))

type RunProps = Omit<MarkPaidProps, 'payouts'> & { seen: readonly PayoutFragment[] }

function Run({ seen, onClose, onPaid }: RunProps) {
  const [payouts, setPayouts] = useState(seen)
  const [failure, setFailure] = useState<string>()
  const [news, setNews] = useState<readonly string[]>()
  const [payPayouts] = useAction(action('payPayouts'))
  const show = useToast()
  const { program } = useProgram()
  const all = useAllPayouts()
  const form = useFields({ reference: '' }, checkReference)
  const ready = payouts.filter((payout) => stateOf(payout) === 'ready')
  const withheld = ready.flatMap(({ withheldCents, currency }) =>
    withheldCents > 0 ? { amountCents: withheldCents, currency } : [],
  )
  const leftOut = payouts.length - ready.length

  const submit = form.handleSubmit(async ({ reference }) => {
    setNews(undefined)
    setFailure(undefined)
    for (let start = 0; start < ready.length; start += groupSize) {
      const group = ready.slice(start, start + groupSize)
      const outcome = await payPayouts({
        input: {
          ids: group.map(({ id }) => id),
          expectedAmountsCents: group.map(({ amountCents }) => amountCents),
          reference,
        },
      })
      if (outcome.data) continue
      setPayouts(payouts.filter((payout) => !ready.slice(0, start).includes(payout)))
      const done = start === 0 ? words.nothingPaid : words.partlyPaid(start)
      return setFailure(`${done} ${withNames(outcome.failure, group)}`)
    }
    show(words.wasPaid(ready.length, totalsOf(ready, program)))
    onClose()
    onPaid?.()
  })

  async function loadAgain() {
    const found: PayoutFragment[] = []
    for (let start = 0; start < payouts.length; start += groupSize) {
      const ids = payouts.slice(start, start + groupSize).map(({ id }) => id)
      const group = await all.load({ id: { in: ids }, state: { equals: 'PENDING' } })
      if (!group) return
      found.push(...group)
    }
    const changes = changesBetween(payouts, found)
    setPayouts(found)
    setFailure(undefined)
    setNews(changes.length > 0 ? changes : [words.sameAmounts])
  }

  return (
    <form onSubmit={submit} noValidate>
      <p className="total">
        {ready.length > 0 ? words.payText(ready.length, totalsOf(ready, program)) : words.nonePayable}
      </p>
      {withheld.length > 0 && <p>{words.withheldText(totalsOf(withheld, program))}</p>}
      {leftOut > 0 && <p className="warning">{words.leftOut(leftOut)}</p>}
      {ready.length > groupSize && <p className="quiet">{words.inBatches}</p>}
      <TextField form={form} name="reference" label={words.reference} hint={words.referenceHint} />
      {news && (
        <div role="status" className="warning">
          {news[0] !== words.sameAmounts && <p>{words.moved}</p>}
          <ul className="plain-list">
            {news.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
      {(failure ?? all.failure) && (
        <div role="alert" className="form-failure">
          <p>{failure ?? all.failure}</p>
          <button type="button" onClick={loadAgain} disabled={all.loaded !== undefined}>
            {words.loadAgain}
          </button>
        </div>
      )}
      <div className="dialog-foot">
        <button type="button" onClick={onClose}>
          {texts.cancel}
        </button>
        <button
          type="submit"
          className="primary"
          disabled={form.formState.isSubmitting || ready.length === 0 || failure !== undefined}
        >
          {words.payAction(ready.length)}
        </button>
      </div>
    </form>
  )
}

/** The service names payouts by their ids. People know them by their affiliates. */
const withNames = (message: string, payouts: readonly PayoutFragment[]): string =>
  payouts.reduce(
    (text, { id, affiliate }) => text.replaceAll(`Payout ${id}`, words.payoutOf(nameOf(affiliate))),
    message,
  )

/** What differs from what the person has seen, in words. */
function changesBetween(before: readonly PayoutFragment[], after: readonly PayoutFragment[]): string[] {
  const found = new Map(after.map((payout) => [payout.id, payout]))
  return before.flatMap(({ id, affiliate, amountCents, currency }) => {
    const now = found.get(id)
    const [name, seen] = [nameOf(affiliate), formatMoney(amountCents, currency)]
    if (!now) return words.gone(name, seen)
    return now.amountCents === amountCents ? [] : words.movedTo(name, seen, formatMoney(now.amountCents, currency))
  })
}
