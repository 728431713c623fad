import { useState } from 'react'
import type { PersonFragment } from '../../../generated/dashboard/picker/graphql.ts'
import { AttributeSaleDocument, type UnattributedFragment } from '../../../generated/dashboard/sales/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { formatDate } from '../../parts/locale.ts'
import { nameOf } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { useFields } from '../form/use-fields.ts'
import { AffiliatePicker } from '../picker/affiliate-picker.tsx'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.sales.lost

/** Finds an affiliate, and gives them the sale. */
export function Attribute({ sale, onDone }: { sale: UnattributedFragment; onDone(): void }) {
  const [attribute] = useAction(AttributeSaleDocument)
  const [chosen, setChosen] = useState<PersonFragment>()
  const show = useToast()
  const [undoAttribution] = useAction(action('undoAttribution'))
  async function undo(saleId: string) {
    const { failure } = await undoAttribution({ input: { saleId, reason: words.undoneAtOnce } })
    show(failure ?? words.undone)
  }
  const form = useFields({}, () => ({}))
  const submit = form.handleSubmit(async () => {
    if (!chosen) return form.setError('root', { message: words.choose })
    const { data, failure } = await attribute({ input: { id: sale.id, affiliateId: chosen.id } })
    if (!data) return form.setError('root', { message: failure })
    show(words.done(nameOf(chosen)), () => undo(data.attributeSale.sale.id))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.action(chosen && nameOf(chosen))} isDisabled={!chosen}>
      <p>{words.text(formatMoney(sale.amountCents, sale.currency), formatDate(sale.occurredAt))}</p>
      <AffiliatePicker label={words.find} chosen={chosen} onChoose={setChosen} />
    </DialogForm>
  )
}
