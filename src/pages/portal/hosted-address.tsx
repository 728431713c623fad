import { type FormEvent, useContext, useEffect, useState } from 'react'
import {
  type OverviewQuery,
  type PayoutServiceKind,
  RefreshPayoutOnboardingDocument,
  StartPayoutOnboardingDocument,
} from '../../generated/portal/graphql.ts'
import { Field } from './fields.tsx'
import { QueryError } from './query.ts'
import { refusalText } from './service-texts.ts'
import { texts } from './texts.ts'
import { QueryContext } from './use-query.ts'
import { Changing } from './view-only.tsx'

type Props = { service: string; me: OverviewQuery['me']; onChanged(): void }

/** Where the bank account is entered on the page of the service, and whether the service can pay. */
export function HostedAddress({ service, me, onChanged }: Props) {
  const words = texts.payout.hosted
  const runQuery = useContext(QueryContext)
  const kind = service.toUpperCase() as PayoutServiceKind
  const known = me.payoutRecipients.find((one) => one.service === kind)
  const isWaiting = known !== undefined && !known.isReady
  const [missing, setMissing] = useState(known?.missing ?? null)
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)

  async function attempt(work: () => Promise<void>) {
    setBusy(true)
    setFailure('')
    try {
      await work()
    } catch (error) {
      const rejection = error instanceof QueryError ? error.rejection : undefined
      setFailure(rejection ? refusalText(rejection) : texts.failures.unreachable)
    }
    setBusy(false)
  }
  // Who comes back from the page of the service sees at once whether it has all that it needs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked once when the page opens
  useEffect(() => {
    if (!isWaiting || me.isViewOnly) return
    void attempt(async () => {
      const { refreshPayoutOnboarding } = await runQuery(RefreshPayoutOnboardingDocument, { input: { service: kind } })
      const said = refreshPayoutOnboarding?.payoutRecipient
      setMissing(said?.missing ?? null)
      if (said?.isReady) onChanged()
    })
  }, [])

  function start(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const country = new FormData(event.currentTarget).get('country')
    void attempt(async () => {
      const input = { service: kind, ...(country !== null && { country: String(country) }) }
      const { startPayoutOnboarding } = await runQuery(StartPayoutOnboardingDocument, { input })
      if (startPayoutOnboarding) location.assign(startPayoutOnboarding.url)
    })
  }
  return (
    <form onSubmit={start} aria-label={words.title(service)}>
      <h3>{words.title(service)}</h3>
      <p className="quiet">{words.lead(service)}</p>
      {known && <p role="status">{known.isReady ? words.ready(service) : words.missing(service, missing ?? '…')}</p>}
      {failure && (
        <p role="alert" className="error">
          {failure}
        </p>
      )}
      <Changing>
        {!known && (
          <Field name="country" label={words.country} problem={undefined}>
            {(control) => (
              <select {...control} defaultValue="" required>
                <option value="" />
                {countries().map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <button type="submit" disabled={isBusy}>
          {known ? words.change(service) : words.start(service)}
        </button>
      </Changing>
    </form>
  )
}

/** Codes that the browser names, but that are no countries. */
const others = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ', 'UK'])

/** The codes of ISO 3166-1 with their names in the language of the page, in the order of the names. */
function countries(): [string, string][] {
  const language = document.documentElement.lang
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => !others.has(code))
  const named = codes.flatMap((code): [string, string][] => {
    const name = names.of(code)
    return name === undefined ? [] : [[code, name]]
  })
  return named.sort(([, a], [, b]) => a.localeCompare(b, language))
}
