import { useState } from 'react'
import {
  ReadTaxIdDocument,
  TaxProfileDocument,
  type TaxProfileQuery,
} from '../../../generated/dashboard/affiliate/graphql.ts'
import { readTaxIdInput } from '../../../modules/tax/input/profile.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { formatShare } from '../campaigns/rules/rewards/percentage.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { Fact } from '../money/fact.tsx'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { SetWithholding } from './set-withholding.tsx'

const words = texts.affiliates.one.tax

type Profile = NonNullable<NonNullable<TaxProfileQuery['affiliate']>['taxProfile']>

/** What the affiliate has signed about their taxes. Numbers are masked until somebody says why they read them. */
export function TaxProfile({ id }: { id: string }) {
  const { data, failure, retry } = useData(TaxProfileDocument, { id })
  const [isReading, setReading] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const profile = data?.affiliate?.taxProfile
  const own = data?.affiliate?.withholdingBasisPoints ?? null
  const rate = own ?? data?.program.taxSettings.withholdingBasisPoints ?? 0
  const hasNumber = Boolean(profile?.maskedTaxId || profile?.maskedUsTaxId)
  return (
    <Card
      title={words.title}
      actions={
        data?.affiliate && (
          <>
            {hasNumber && (
              <button type="button" onClick={() => setReading(true)}>
                {words.read}
              </button>
            )}
            <button type="button" onClick={() => setChanging(true)}>
              {words.setRate}
            </button>
          </>
        )
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !profile && <p className="quiet">{words.none}</p>}
      {profile && <Facts profile={profile} />}
      {(own !== null || rate > 0) && (
        <dl className="facts">
          <Fact name={words.withheld}>
            {own === null ? words.programRate(formatShare(rate / 100)) : words.ownRate(formatShare(rate / 100))}
          </Fact>
        </dl>
      )}
      <Dialog title={words.read} isOpen={isReading} onClose={() => setReading(false)}>
        <Read id={id} onDone={() => setReading(false)} />
      </Dialog>
      <Dialog title={words.setRate} isOpen={isChanging} onClose={() => setChanging(false)}>
        <SetWithholding id={id} own={own} onDone={() => setChanging(false)} />
      </Dialog>
    </Card>
  )
}

function Facts({ profile }: { profile: Profile }) {
  const { city, region, postalCode, street } = profile
  const facts = [
    [words.legalName, profile.legalName],
    [
      words.address,
      [street, [postalCode, city].filter(Boolean).join(' '), region, profile.country].filter(Boolean).join(', '),
    ],
    [words.vatId, profile.vatId],
    [words.smallBusiness, profile.isSmallBusiness ? texts.settings.history.flags.true : null],
    [words.taxId, profile.maskedTaxId],
    [words.usTaxId, profile.maskedUsTaxId],
    [words.form, profile.form && words.forms[profile.form](profile.formRevision ?? '')],
    ...profile.formLines.map(({ line, label, value }) => [`${line} ${label}`, value] as const),
    [words.signed, <Moment key="signed" at={profile.signedAt} />],
    [words.signedBy, profile.signedName],
    [words.expires, profile.expiresAt && <Moment key="expires" at={profile.expiresAt} />],
  ] as const
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={String(name)}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Asks why, and shows the numbers. */
function Read({ id, onDone }: { id: string; onDone(): void }) {
  const [readTaxId] = useAction(ReadTaxIdDocument)
  const [ids, setIds] = useState<{ taxId: string | null; usTaxId: string | null }>()
  const form = useFields({ affiliateId: id, reason: '' }, checkInput(readTaxIdInput))
  const submit = form.handleSubmit(async (input) => {
    const outcome = await readTaxId({ input })
    if (outcome.data) setIds(outcome.data.readTaxId)
    else showRejection(form, outcome)
  })
  if (ids)
    return (
      <>
        <dl className="facts">
          {[
            [words.taxId, ids.taxId],
            [words.usTaxId, ids.usTaxId],
          ].map(
            ([name, value]) =>
              value && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        <div className="dialog-foot">
          <button type="button" className="primary" onClick={onDone}>
            {texts.done}
          </button>
        </div>
      </>
    )
  return (
    <DialogForm form={form} onSubmit={submit} action={words.read}>
      <TextField form={form} name="reason" label={words.reason} hint={words.reasonHint} />
    </DialogForm>
  )
}
