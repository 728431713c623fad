import { lazy, Suspense } from 'react'
import { type OverviewQuery, type PayoutMethod, UpdateMeDocument } from '../../generated/portal/graphql.ts'
import {
  addressedMethods,
  type addressFieldNames,
  paidEmails,
  typedFieldNames,
} from '../../modules/payout-methods/addresses.ts'
import { formatDate } from '../parts/locale.ts'
import { SaveForm, SelectField, TextField } from './fields.tsx'
import { HostedAddress } from './hosted-address.tsx'
import { texts } from './texts.ts'
import { useSave } from './use-save.ts'

const Tax = lazy(() => import('./tax.tsx'))

type AddressFieldName = (typeof addressFieldNames)[number]

/** The field that each method pays. Other methods are agreed with the program. */
const paidFields = new Map<string, AddressFieldName>(
  addressedMethods.map(({ method, paid }) => [method.toUpperCase(), paid]),
)

/** The offered methods whose service asks for the address on its own page. */
const hosted = (offered: readonly string[]) =>
  addressedMethods
    .filter(({ method, isHosted }) => isHosted && offered.includes(method.toUpperCase()))
    .map(({ method, service }) => ({ method, service }))

const waitsUntil = (until: string) => texts.payout.waits(formatDate(until, { dateStyle: 'medium', timeStyle: 'short' }))

/** Says that payouts wait, and until when. */
export const HoldNotice = ({ until }: { until: string | null }) =>
  until === null ? null : <p className="notice">{waitsUntil(until)}</p>

/** Whether the chosen method has no address, or no method has one. */
function isMissing({ preferredPayoutMethod: method, ...me }: OverviewQuery['me']): boolean {
  if (!method) return ![...paidFields.values()].some((field) => me[field])
  const field = paidFields.get(method)
  return field !== undefined && !me[field]
}

type AddressProps = { me: OverviewQuery['me']; onChanged(): void }

export const PayoutAddressAndTax = (props: AddressProps) => (
  <>
    <PayoutAddress {...props} />
    <Suspense fallback={<p className="quiet">{texts.loading}</p>}>
      <Tax />
    </Suspense>
  </>
)

/** Where the affiliate is paid. A change holds payouts. */
function PayoutAddress({ me, onChanged }: AddressProps) {
  const words = texts.payout
  const hints: Readonly<Partial<Record<AddressFieldName, string>>> = { bic: words.bicHint }
  const saving = useSave(
    UpdateMeDocument,
    ({ preferredPayoutMethod, ...input }) => ({
      input: { ...input, preferredPayoutMethod: preferredPayoutMethod as PayoutMethod | null },
    }),
    ({ updateMe }) => {
      onChanged()
      const until = updateMe?.affiliate.payoutsHeldUntil
      return [texts.forms.saved, ...(until ? [waitsUntil(until)] : [])].join(' ')
    },
    ({ updateMe }) => updateMe?.affiliate,
  )
  const { problems } = saving
  const hours = me.program.payoutHoldHours
  const preferred = me.preferredPayoutMethod ?? ''
  const methods = Object.entries(words.methods).filter(
    ([method]) => method === '' || me.program.payoutMethods.some((one) => one === method) || method === preferred,
  )
  return (
    <section aria-labelledby="payout-address">
      <h2 id="payout-address">{words.title}</h2>
      {isMissing(me) && <p className="notice">{words.noAddress}</p>}
      <p className="quiet">{hours === 0 ? words.hintWithoutHold : words.hint(hours)}</p>
      <SaveForm saving={saving}>
        <SelectField
          name="preferredPayoutMethod"
          label={words.method}
          value={preferred}
          options={methods}
          problem={problems.preferredPayoutMethod}
        />
        {typedFieldNames.map((name) => {
          const isEmail = paidEmails.includes(name)
          return (
            <TextField
              key={name}
              name={name}
              label={words[name]}
              hint={hints[name]}
              value={me[name]}
              type={isEmail ? 'email' : undefined}
              spellCheck={isEmail ? undefined : false}
              problem={problems[name]}
            />
          )
        })}
      </SaveForm>
      {hosted(me.program.payoutMethods).map(({ method, service }) => (
        <HostedAddress key={method} service={service} me={me} onChanged={onChanged} />
      ))}
    </section>
  )
}
