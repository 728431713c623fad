import { useNavigate } from '@tanstack/react-router'
import { CreateAffiliateDocument, type CreateAffiliateInput } from '../../../generated/dashboard/affiliates/graphql.ts'
import { createAffiliateInput } from '../../../modules/affiliates/input.ts'
import { nameOf } from '../affiliate-name.tsx'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'
import { type AffiliateFields, AffiliateInputs } from './affiliate-fields.tsx'
import { checkAffiliate } from './check.ts'
import { type Definition, OwnInputs, ownInputOf, ownValuesOf, withoutOwn } from './own-fields.tsx'
import type { useCampaigns } from './use-campaigns.ts'

const words = texts.affiliates

type Fields = AffiliateFields & { token: string }
type Props = {
  campaigns: ReturnType<typeof useCampaigns>
  definitions: readonly Definition[]
  onDone(): void
}

export function CreateAffiliate({ campaigns, definitions, onDone }: Props) {
  const { program } = useProgram()
  const navigate = useNavigate()
  const show = useToast()
  const [createAffiliate] = useAction(CreateAffiliateDocument)
  const form = useFields<Fields>(
    {
      ...ownValuesOf(definitions),
      email: '',
      firstName: '',
      lastName: '',
      campaignId: campaigns.defaultId,
      state: 'ACTIVE',
      token: '',
      paypalEmail: '',
      wiseEmail: '',
      preferredPayoutMethod: '',
      recipientType: '',
      iban: '',
      bic: '',
      billingCustomerId: '',
    },
    checkAffiliate(createAffiliateInput),
  )
  const submit = form.handleSubmit(async (values) => {
    // Forms have no fields without a value. An empty one is left out.
    const filled: [string, unknown][] = Object.entries(withoutOwn(values)).filter(([, value]) => value !== '')
    const given = Object.fromEntries(filled) as CreateAffiliateInput
    const outcome = await createAffiliate({
      input: { ...given, ...ownInputOf(definitions, values as unknown as Record<string, string>, {}) },
    })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.created(nameOf(values)))
    onDone()
    const { id } = outcome.data.createAffiliate.affiliate
    await navigate({ to: '/$program/affiliates/$id', params: { program: program.slug, id } })
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.create}>
      <AffiliateInputs form={form} campaigns={campaigns.active} />
      <TextField form={form} name="token" label={words.fields.token} hint={words.fields.tokenHint} />
      <OwnInputs form={form} definitions={definitions} />
    </DialogForm>
  )
}
