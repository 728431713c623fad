import { type CommissionMails, type OverviewQuery, UpdateMeDocument } from '../../generated/portal/graphql.ts'
import { Field, SaveForm, SelectField, TextField } from './fields.tsx'
import { texts } from './texts.ts'
import { useSave } from './use-save.ts'

type FormProps = { me: OverviewQuery['me']; onChanged(): void }

/** The affiliate's name and address. */
export function Account({ me, onChanged }: FormProps) {
  const words = texts.account
  const saving = useSave(
    UpdateMeDocument,
    (input) => ({ input }),
    () => {
      onChanged()
      return texts.forms.saved
    },
    ({ updateMe }) => updateMe?.affiliate,
  )
  const { problems } = saving
  return (
    <section aria-labelledby="account">
      <h2 id="account">{words.title}</h2>
      <SaveForm saving={saving}>
        <TextField
          name="firstName"
          label={words.firstName}
          value={me.firstName}
          autoComplete="given-name"
          problem={problems.firstName}
        />
        <TextField
          name="lastName"
          label={words.lastName}
          value={me.lastName}
          autoComplete="family-name"
          problem={problems.lastName}
        />
        <TextField
          name="company"
          label={words.company}
          value={me.company}
          autoComplete="organization"
          problem={problems.company}
        />
        <Field name="postalAddress" label={words.postalAddress} problem={problems.postalAddress}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={1000}
              autoComplete="street-address"
              defaultValue={me.postalAddress ?? ''}
            />
          )}
        </Field>
      </SaveForm>
    </section>
  )
}

/** What the choices that are yes or no are called, by their fields. */
const mailFields = {
  getsPayoutMails: 'payouts',
  getsStatementMails: 'statements',
  getsTermsMails: 'terms',
  getsRewardMails: 'rewards',
  getsMessageMails: 'messages',
} as const

/** Which mails the affiliate wants. */
export function MailChoices({ me, onChanged }: FormProps) {
  const words = texts.mails
  const saving = useSave(
    UpdateMeDocument,
    ({ commissionMails }, data) => ({
      input: {
        commissionMails: commissionMails as CommissionMails,
        ...Object.fromEntries(Object.keys(mailFields).map((field) => [field, data.has(field)])),
      },
    }),
    () => {
      onChanged()
      return texts.forms.saved
    },
  )
  return (
    <section aria-labelledby="mails">
      <h2 id="mails">{words.title}</h2>
      <SaveForm saving={saving}>
        <SelectField
          name="commissionMails"
          label={words.commissions}
          value={me.mailChoices.commissions}
          options={Object.entries(words.cadences)}
          problem={saving.problems.commissionMails}
        />
        {(Object.keys(mailFields) as (keyof typeof mailFields)[]).map((field) => (
          <label key={field} className="check">
            <input type="checkbox" name={field} defaultChecked={me.mailChoices[field]} />
            {words[mailFields[field]]}
          </label>
        ))}
      </SaveForm>
    </section>
  )
}
