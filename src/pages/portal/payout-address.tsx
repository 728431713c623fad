import { type OverviewQuery, type PayoutMethod, UpdateMeDocument } from '../../generated/portal/graphql.ts'
import { addressedMethods } from '../../modules/payout-methods/addresses.ts'
import { formatDate } from '../parts/locale.ts'
import { SaveForm, SelectField, TextField } from './fields.tsx'
import { texts } from './texts.ts'
import { useSave } from './use-save.ts'

/** The field that each method pays. Other methods are agreed with the program. */
const paidFields = new Map<string, (typeof addressedMethods)[number]['paid']>(
  addressedMethods.map(({ method, paid }) => [method.toUpperCase(), paid]),
)

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

/** Where the affiliate is paid. A change holds payouts. */
export function PayoutAddress({ me, onChanged }: { me: OverviewQuery['me']; onChanged(): void }) {
  const words = texts.payout
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
    ([method]) => method === '' || paidFields.has(method) || method === preferred,
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
        <TextField
          name="walletAEmail"
          label={words.walletAEmail}
          value={me.walletAEmail}
          type="email"
          problem={problems.walletAEmail}
        />
        <TextField
          name="walletBEmail"
          label={words.walletBEmail}
          value={me.walletBEmail}
          type="email"
          problem={problems.walletBEmail}
        />
        <TextField name="iban" label={words.iban} value={me.iban} spellCheck={false} problem={problems.iban} />
        <TextField
          name="bic"
          label={words.bic}
          hint={words.bicHint}
          value={me.bic}
          spellCheck={false}
          problem={problems.bic}
        />
      </SaveForm>
    </section>
  )
}
