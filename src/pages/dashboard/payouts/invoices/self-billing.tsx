import type { InvoicePapersQuery } from '../../../../generated/dashboard/payouts/invoices/graphql.ts'
import { publishSelfBillingInput } from '../../../../modules/invoices/input.ts'
import { formatDate } from '../../../parts/locale.ts'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { AreaField, FormFailure } from '../../form/fields.tsx'
import { AskToLeave } from '../../form/leave.tsx'
import { showRejection, showStored, useFields } from '../../form/use-fields.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/toast.tsx'

const words = texts.invoices.text

type Versions = InvoicePapersQuery['selfBillingVersions']

/** The text that affiliates agree to. @param versions the newest first */
export function SelfBillingText({ versions: [holds] }: { versions: Versions }) {
  const { canPay } = useProgram()
  return (
    <Card title={words.title} lead={words.lead}>
      {holds && (
        <p className="quiet">
          {words.current(holds.number, formatDate(holds.publishedAt, { dateStyle: 'medium' }))}{' '}
          {words.agreed(holds.agreementCount)}
        </p>
      )}
      <Publish text={holds?.text ?? ''} version={holds?.number ?? 0} isDisabled={!canPay} />
    </Card>
  )
}

type PublishProps = { text: string; version: number; isDisabled: boolean }

function Publish({ text, version, isDisabled }: PublishProps) {
  const [publish] = useAction(action('publishSelfBilling'))
  const show = useToast()
  const form = useFields({ text }, checkInput(publishSelfBillingInput))
  const submit = form.handleSubmit(async (input) => {
    const outcome = await publish({ input })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.published(input.text === text ? version : version + 1))
    showStored(form, input, input)
  })
  return (
    <>
      <form onSubmit={submit} noValidate>
        <fieldset className="form-fields" disabled={isDisabled}>
          <AreaField form={form} name="text" label={words.text} hint={words.hint} rows={6} />
          <FormFailure form={form} />
          {!isDisabled && (
            <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
              {words.publish}
            </button>
          )}
        </fieldset>
      </form>
      <AskToLeave form={form} />
    </>
  )
}
