import { useState } from 'react'
import type { SaleQuery } from '../../../generated/dashboard/sales/graphql.ts'
import { exampleAmount } from '../../parts/amount.ts'
import { formatMoney } from '../../parts/format.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'
import { effectOf } from './effect.ts'

const words = texts.sales

type Shown = NonNullable<SaleQuery['sale']>
type Fields = { how: 'full' | 'part'; amountCents: string; refundExternalId: string }

/** A full or partial refund, with what it does to the commission. */
export function Refund({ sale, onDone }: { sale: Shown; onDone(): void }) {
  // What the person saw: a refund that was made meanwhile does not change "all that remains" under their hands.
  const [{ currency, amountCents, refundedCents, id }] = useState(sale)
  const open = BigInt(amountCents) - BigInt(refundedCents)
  const [refundSale] = useAction(action('refundSale'))
  const show = useToast()
  const refundOf = ({ how, amountCents: text }: Fields) => (how === 'full' ? open : centsOf(text, currency))
  const form = useFields<Fields>({ how: 'full', amountCents: '', refundExternalId: '' }, (values) => {
    const cents = refundOf(values)
    if (cents === null) return { amountCents: amountProblem(values.amountCents, currency) ?? '' }
    if (cents === 0n) return { amountCents: texts.money.notAmount(currency.toUpperCase(), exampleAmount(currency)) }
    return cents > open ? { amountCents: words.tooMuch(formatMoney(open, currency)) } : {}
  })
  const values = form.watch()
  const cents = refundOf(values)
  const isPossible = cents !== null && cents > 0n && cents <= open
  const submit = form.handleSubmit(async (given) => {
    const amount = refundOf(given) ?? 0n
    const { refundExternalId } = given
    const outcome = await refundSale({ input: { saleId: id, amountCents: Number(amount), refundExternalId } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.wasRefunded(formatMoney(amount, currency)))
    onDone()
  })
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={isPossible ? words.refundAction(formatMoney(cents, currency)) : words.refund}
      isDanger
    >
      <fieldset className="check-group">
        <legend>{words.how}</legend>
        <div className="checks">
          <label>
            <input type="radio" value="full" {...form.register('how')} /> {words.full(formatMoney(open, currency))}
          </label>
          <label>
            <input type="radio" value="part" {...form.register('how')} /> {words.part}
          </label>
        </div>
      </fieldset>
      {values.how === 'part' && (
        <TextField
          form={form}
          name="amountCents"
          label={`${words.refundAmount} (${currency.toUpperCase()})`}
          inputMode="decimal"
        />
      )}
      <TextField form={form} name="refundExternalId" label={words.refundId} hint={words.refundIdHint} />
      <div className="warning" role="status">
        <strong>{words.effect.title}</strong>
        <p>{isPossible ? effectOf(sale, cents) : '–'}</p>
      </div>
    </DialogForm>
  )
}
