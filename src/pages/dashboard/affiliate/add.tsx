import type { CouponDiscountInput } from '../../../generated/dashboard/actions.ts'
import type { CouponFragment } from '../../../generated/dashboard/affiliate/graphql.ts'
import { createAffiliateCouponInput } from '../../../modules/affiliates/coupons/input.ts'
import { createAffiliateLinkInput } from '../../../modules/affiliates/links/input.ts'
import { readDecimal, writeAmount, writeDecimal } from '../../parts/amount.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { centsOf } from '../form/amount.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.affiliates.one

type Props = { affiliateId: string; onDone(): void }
type LinkFields = { affiliateId: string; token: string }
type CouponFields = LinkFields & { discount: string }

export function AddLink({ affiliateId, onDone }: Props) {
  const show = useToast()
  const [create] = useAction(action('createAffiliateLink'))
  const form = useFields<LinkFields>({ affiliateId, token: '' }, checkInput(createAffiliateLinkInput))
  const submit = form.handleSubmit(async (values) => {
    const outcome = await create({ input: values })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.linkAdded)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.addLink}>
      <TextField
        form={form}
        name="token"
        label={texts.affiliates.fields.token}
        hint={texts.affiliates.fields.tokenHint}
      />
    </DialogForm>
  )
}

const checkCoupon = checkInput<object>(createAffiliateCouponInput)

/** A coupon with the discount that the shop gives for it: `20%`, or an amount in the program's currency. */
export function AddCoupon({ affiliateId, onDone }: Props) {
  const { program } = useProgram()
  const show = useToast()
  const [create] = useAction(action('createAffiliateCoupon'))
  const form = useFields<CouponFields>({ affiliateId, token: '', discount: '' }, ({ discount, ...values }) => ({
    ...checkCoupon(values),
    ...(discountOf(discount, program.currency) === null && { discount: words.notDiscount }),
  }))
  const submit = form.handleSubmit(async ({ discount, ...values }) => {
    const given = discountOf(discount, program.currency)
    const outcome = await create({ input: { ...values, ...(given && { discount: given }) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.couponAdded)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.addCoupon}>
      <TextField form={form} name="token" label={words.couponCode} hint={words.couponHint} />
      <TextField
        form={form}
        name="discount"
        label={words.discount}
        hint={words.discountHint(program.currency.toUpperCase())}
      />
    </DialogForm>
  )
}

/** Changes the discount that is shown for a coupon, or removes it. */
export function EditDiscount({ coupon, onDone }: { coupon: CouponFragment; onDone(): void }) {
  const { program } = useProgram()
  const show = useToast()
  const [update] = useAction(action('updateAffiliateCoupon'))
  const form = useFields({ discount: typedDiscount(coupon.discount) }, ({ discount }) =>
    discountOf(discount, program.currency) === null ? { discount: words.notDiscount } : {},
  )
  const submit = form.handleSubmit(async ({ discount }) => {
    const given = discountOf(discount, currencyOf(coupon, program.currency)) ?? null
    const outcome = await update({ input: { id: coupon.id, discount: given } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <TextField
        form={form}
        name="discount"
        label={words.discount}
        hint={words.discountHint(currencyOf(coupon, program.currency).toUpperCase())}
      />
    </DialogForm>
  )
}

/** An amount stays in its currency. */
const currencyOf = ({ discount }: CouponFragment, currency: string) => discount?.currency ?? currency

function typedDiscount(discount: CouponFragment['discount']): string {
  if (!discount) return ''
  if (discount.percent !== null) return `${writeDecimal(String(discount.percent))}%`
  return writeAmount(discount.amountCents ?? 0, discount.currency ?? '')
}

/** The discount that was typed: undefined for nothing, null for other text. */
function discountOf(typed: string, currency: string): CouponDiscountInput | null | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  if (text.endsWith('%')) {
    const percent = Number(readDecimal(text.slice(0, -1).trim()) ?? Number.NaN)
    return percent > 0 && percent <= 100 ? { percent } : null
  }
  const cents = centsOf(text, currency)
  return cents !== null && cents > 0n ? { amountCents: Number(cents), currency } : null
}
