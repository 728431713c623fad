import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { PersonFragment } from '../../../generated/dashboard/picker/graphql.ts'
import { RecordSaleDocument } from '../../../generated/dashboard/sales/graphql.ts'
import { recordSaleInput } from '../../../modules/sales/by-hand/input.ts'
import { nameOf } from '../affiliate-name.tsx'
import { useAction } from '../api/use-data.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { checkInput } from '../form/check-input.ts'
import { currencyOptions } from '../form/currency-options.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { noonOf, today } from '../money/days.ts'
import { AffiliatePicker } from '../picker/affiliate-picker.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.sales.byHand

type Sold = Record<'amountCents' | 'currency' | 'email' | 'customerName' | 'externalId' | 'occurredAt', string>
type Fields = Sold & { affiliateId: string }

/** The values as the service takes them. A sale of today occurred now. */
const inputOf = ({ amountCents, currency, occurredAt, ...rest }: Sold) => ({
  ...rest,
  amountCents: Number(centsOf(amountCents, currency.toLowerCase()) ?? Number.NaN),
  currency: currency.toLowerCase(),
  occurredAt: occurredAt === today() ? undefined : noonOf(occurredAt),
})

const check = checkInput<object>(recordSaleInput)

/** A sale that no billing system reports. It leads to the sale, which says what it earned and why. */
export function RecordSale() {
  const { program } = useProgram()
  const navigate = useNavigate()
  const show = useToast()
  const [recordSale] = useAction(RecordSaleDocument)
  const [seller, setSeller] = useState<PersonFragment>()
  const form = useFields<Fields>(
    {
      affiliateId: '',
      amountCents: '',
      currency: program.currency.toUpperCase(),
      email: '',
      customerName: '',
      externalId: '',
      occurredAt: today(),
    },
    ({ affiliateId, ...values }) => {
      const amount = amountProblem(values.amountCents, values.currency.toLowerCase())
      return {
        ...check(inputOf(values)),
        ...(amount && { amountCents: amount }),
        ...(affiliateId === '' && { affiliateId: texts.sales.lost.choose }),
      }
    },
  )
  const choose = (affiliate: PersonFragment | undefined) => {
    setSeller(affiliate)
    form.setValue('affiliateId', affiliate?.id ?? '', { shouldValidate: form.formState.isSubmitted, shouldDirty: true })
  }
  const submit = form.handleSubmit(async ({ affiliateId, ...values }) => {
    const outcome = await recordSale({ input: { affiliateId, ...inputOf(values) } })
    if (!outcome.data) return showRejection(form, outcome)
    if (seller) show(words.done(nameOf(seller)))
    const { id } = outcome.data.recordSale.sale
    await navigate({ to: '/$program/sales/$id', params: { program: program.slug, id } })
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.action(seller && nameOf(seller))}>
      <AffiliatePicker
        label={texts.sales.lost.find}
        chosen={seller}
        onChoose={choose}
        problem={form.formState.errors.affiliateId?.message}
        isRequired
      />
      <div className="field-pair">
        <TextField form={form} name="amountCents" label={texts.money.amount} inputMode="decimal" />
        <SelectField
          form={form}
          name="currency"
          label={texts.money.currency}
          options={currencyOptions(program.currency)}
        />
      </div>
      <TextField form={form} name="email" label={words.email} type="email" hint={words.emailHint} />
      <TextField form={form} name="customerName" label={words.customerName} hint={words.optional} />
      <div className="field-pair">
        <TextField form={form} name="occurredAt" label={words.occurredAt} type="date" />
        <TextField form={form} name="externalId" label={texts.sales.externalId} hint={words.externalIdHint} />
      </div>
    </DialogForm>
  )
}
