import { useState } from 'react'
import { OpenPortalDocument, type WholeAffiliateFragment } from '../../../generated/dashboard/affiliate/graphql.ts'
import { updateAffiliateInput } from '../../../modules/affiliates/input.ts'
import { type AffiliateFields, AffiliateInputs } from '../affiliates/affiliate-fields.tsx'
import { checkAffiliate } from '../affiliates/check.ts'
import { type Definition, OwnInputs, ownInputOf, ownValuesOf, withoutOwn } from '../affiliates/own-fields.tsx'
import { useCampaigns } from '../affiliates/use-campaigns.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { GiveCommission } from '../commissions/give-commission.tsx'
import { DialogForm } from '../form/dialog-form.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { WriteMail } from '../mails/write/write-mail.tsx'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.affiliates.one
const { give } = texts.commissions

type Props = { affiliate: WholeAffiliateFragment; definitions: readonly Definition[] }

export function AffiliateActions({ affiliate, definitions }: Props) {
  const [isEditing, setEditing] = useState(false)
  const [isGiving, setGiving] = useState(false)
  return (
    <>
      <OpenPortal affiliateId={affiliate.id} />
      <WriteMail where={{ id: { equals: affiliate.id } }} />
      <button type="button" onClick={() => setGiving(true)}>
        {give.open}
      </button>
      <Dialog title={give.open} isOpen={isGiving} onClose={() => setGiving(false)}>
        <GiveCommission affiliate={affiliate} onDone={() => setGiving(false)} />
      </Dialog>
      <button type="button" className="primary" onClick={() => setEditing(true)}>
        {words.edit}
      </button>
      <Dialog title={words.edit} isOpen={isEditing} onClose={() => setEditing(false)}>
        <EditAffiliate affiliate={affiliate} definitions={definitions} onDone={() => setEditing(false)} />
      </Dialog>
    </>
  )
}

/** A sign-in link works once and for a minute, so it is made when it is needed. */
function OpenPortal({ affiliateId }: { affiliateId: string }) {
  const [openPortal, isRunning] = useAction(OpenPortalDocument)
  const show = useToast()
  async function open() {
    // Browsers allow a new tab only during the click itself.
    const tab = window.open('', '_blank')
    if (!tab) return show(words.portalBlocked)
    tab.opener = null
    const { data, failure } = await openPortal({ input: { affiliateId } }, { refreshes: false })
    if (data) tab.location.replace(data.createSsoLink.url)
    else {
      tab.close()
      show(failure)
    }
  }
  return (
    <button type="button" disabled={isRunning} onClick={() => void open()}>
      {words.openPortal}
    </button>
  )
}

/** Only changed fields are sent, so that another person's change is not undone. */
function EditAffiliate({ affiliate, definitions, onDone }: Props & { onDone(): void }) {
  const campaigns = useCampaigns()
  const show = useToast()
  const [updateAffiliate] = useAction(action('updateAffiliate'))
  const own = ownValuesOf(definitions, affiliate.ownFields)
  const before: AffiliateFields = {
    ...own,
    email: affiliate.email,
    firstName: affiliate.firstName ?? '',
    lastName: affiliate.lastName ?? '',
    campaignId: affiliate.campaign.id,
    state: affiliate.state,
    paypalEmail: affiliate.paypalEmail ?? '',
    wiseEmail: affiliate.wiseEmail ?? '',
    preferredPayoutMethod: affiliate.preferredPayoutMethod ?? '',
    recipientType: affiliate.recipientType ?? '',
    iban: affiliate.iban ?? '',
    bic: affiliate.bic ?? '',
    billingCustomerId: affiliate.billingCustomerId ?? '',
  }
  const form = useFields<AffiliateFields>(before, checkAffiliate(updateAffiliateInput))
  const submit = form.handleSubmit(async (values) => {
    const changed = Object.entries(withoutOwn(values))
      .filter(([field, value]) => value !== before[field as keyof AffiliateFields])
      .map(([field, value]) => [field, value === '' ? null : value])
    const outcome = await updateAffiliate({
      input: {
        id: affiliate.id,
        ...Object.fromEntries(changed),
        ...ownInputOf(definitions, values as Record<string, string>, own),
      },
    })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  // The present campaign stays a choice if it is archived.
  const choices = campaigns.all.filter(
    (option) => option.value === affiliate.campaign.id || campaigns.active.includes(option),
  )
  if (choices.length === 0) return null
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <AffiliateInputs form={form} campaigns={choices} />
      <OwnInputs form={form} definitions={definitions} />
    </DialogForm>
  )
}
