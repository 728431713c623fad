import { SetAffiliateWithholdingDocument } from '../../../generated/dashboard/affiliate/graphql.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { basisPointsOf, percentProblem, percentText } from '../form/percent.ts'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.affiliates.one.tax

/** How much of the payouts of an affiliate is withheld, in place of the program's rate. */
export function SetWithholding({ id, own, onDone }: { id: string; own: number | null; onDone(): void }) {
  const show = useToast()
  const [set] = useAction(SetAffiliateWithholdingDocument)
  const form = useFields({ percent: percentText(own) }, ({ percent }) => {
    const problem = percentProblem(percent)
    return problem === undefined ? {} : { percent: problem }
  })
  const submit = form.handleSubmit(async ({ percent }) => {
    const outcome = await set({ input: { affiliateId: id, basisPoints: basisPointsOf(percent) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.saveRate}>
      <TextField form={form} name="percent" label={words.percent} hint={words.percentHint} inputMode="decimal" />
    </DialogForm>
  )
}
