import { useState } from 'react'
import {
  SignTaxProfileDocument,
  type SignTaxProfileInput,
  TaxDocument,
  type TaxOfAffiliateFragment,
} from '../../generated/portal/graphql.ts'
import { formFor } from '../../modules/tax/input/forms.ts'
import { formatDate } from '../parts/locale.ts'
import { FailureNotice } from './failure-notice.tsx'
import { CheckField, ChoiceField, SaveForm, TextField } from './fields.tsx'
import { countryOptions, TaxFormFields, takeForm } from './tax-form.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'
import { useSave } from './use-save.ts'

/** The tax profile, which the affiliate signs by name. */
export default function Tax() {
  const { data, failure, retry } = useQuery(TaxDocument, {})
  return (
    <section aria-labelledby="tax">
      <h2 id="tax">{texts.tax.title}</h2>
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
      {data && <TaxProfile key={data.me.taxProfile?.signedAt} me={data.me} onSigned={retry} />}
    </section>
  )
}

const day = (at: string) => formatDate(at, { dateStyle: 'medium' })

const lines = ['street', 'postalCode', 'city', 'region', 'vatId'] as const

function TaxProfile({ me, onSigned }: { me: TaxOfAffiliateFragment; onSigned(): void }) {
  const words = texts.tax
  const { taxProfile: profile, program } = me
  const { payerCountry, needsProfileForPayouts } = program.taxSettings
  const [recipientType, setRecipientType] = useState(profile?.recipientType ?? 'PERSON')
  const [country, setCountry] = useState(profile?.country ?? '')
  const [isUsPerson, setUsPerson] = useState(profile?.form === 'W9')
  const type = recipientType === 'PERSON' ? 'person' : 'business'
  const form = formFor(payerCountry, { recipientType: type, isUsPerson: isUsPerson || country === 'US' })
  const saving = useSave(
    SignTaxProfileDocument,
    (entered, sent) => {
      const { core, fields } = takeForm(entered, sent)
      const flags = { isSmallBusiness: sent.has('isSmallBusiness'), isUsPerson: isUsPerson || country === 'US' }
      return { input: { ...core, ...flags, ...(form && { form: fields }) } as SignTaxProfileInput }
    },
    () => {
      onSigned()
      return texts.forms.saved
    },
  )
  const { problems } = saving
  return (
    <>
      <p className="quiet">{words.lead}</p>
      {needsProfileForPayouts && !profile && <p className="notice">{words.needed}</p>}
      {profile && (
        <p>
          {words.signed(profile.signedName, day(profile.signedAt))}{' '}
          {profile.expiresAt && words.expires(day(profile.expiresAt))}
        </p>
      )}
      <SaveForm saving={saving} action={words.sign}>
        <ChoiceField
          name="recipientType"
          label={words.recipientType}
          value={recipientType}
          options={Object.entries(words.recipientTypes)}
          problem={problems.recipientType}
          onChange={(value) => setRecipientType(value as typeof recipientType)}
        />
        <ChoiceField
          name="country"
          label={words.country}
          value={country}
          options={countryOptions()}
          problem={problems.country}
          onChange={setCountry}
        />
        {payerCountry === 'US' && country !== 'US' && (
          <CheckField name="isUsPerson" label={words.isUsPerson} isChecked={isUsPerson} onChange={setUsPerson} />
        )}
        <TextField name="legalName" label={words.legalName} value={profile?.legalName} problem={problems.legalName} />
        {lines.map((name) => (
          <TextField key={name} name={name} label={words[name]} value={profile?.[name]} problem={problems[name]} />
        ))}
        <CheckField
          name="isSmallBusiness"
          label={words.isSmallBusiness}
          isChecked={profile?.isSmallBusiness ?? false}
        />
        <TextField
          name="taxId"
          label={words.taxId}
          {...(profile?.maskedTaxId && { hint: words.taxIdKept(profile.maskedTaxId) })}
          spellCheck={false}
          problem={problems.taxId}
        />
        {form !== null && form !== 'w9' && (
          <TextField name="usTaxId" label={words.usTaxId} spellCheck={false} problem={problems.usTaxId} />
        )}
        {form && <TaxFormFields key={form} name={form} values={profile?.formFields ?? {}} problems={problems} />}
        <TextField
          name="signedName"
          label={words.signedName}
          hint={words.signHint}
          autoComplete="name"
          problem={problems.signedName}
        />
      </SaveForm>
    </>
  )
}
