import {
  CreateAffiliateCouponDocument,
  CreateAffiliateLinkDocument,
} from '../../../generated/dashboard/affiliate/graphql.ts'
import { createAffiliateCouponInput } from '../../../modules/affiliates/coupons/input.ts'
import { createAffiliateLinkInput } from '../../../modules/affiliates/links/input.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.affiliates.one

type Props = { affiliateId: string; onDone(): void }
type Fields = { affiliateId: string; token: string }

export const AddLink = (props: Props) => (
  <TokenForm
    {...props}
    document={CreateAffiliateLinkDocument}
    schema={createAffiliateLinkInput}
    label={texts.affiliates.fields.token}
    hint={texts.affiliates.fields.tokenHint}
    action={words.addLink}
    done={words.linkAdded}
  />
)

export const AddCoupon = (props: Props) => (
  <TokenForm
    {...props}
    document={CreateAffiliateCouponDocument}
    schema={createAffiliateCouponInput}
    label={words.couponCode}
    hint={words.couponHint}
    action={words.addCoupon}
    done={words.couponAdded}
  />
)

type TokenFormProps = Props & {
  document: typeof CreateAffiliateLinkDocument | typeof CreateAffiliateCouponDocument
  schema: Parameters<typeof checkInput>[0]
  label: string
  hint: string
  action: string
  done: string
}

function TokenForm({ affiliateId, document, schema, label, hint, action, done, onDone }: TokenFormProps) {
  const show = useToast()
  const [create] = useAction(document as typeof CreateAffiliateCouponDocument)
  const form = useFields<Fields>({ affiliateId, token: '' }, checkInput(schema))
  const submit = form.handleSubmit(async (values) => {
    const outcome = await create({ input: values })
    if (!outcome.data) return showRejection(form, outcome)
    show(done)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={action}>
      <TextField form={form} name="token" label={label} hint={hint} />
    </DialogForm>
  )
}
