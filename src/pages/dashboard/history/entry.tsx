import type { ReactNode } from 'react'
import type { HistoryAction, HistorySubject } from '../../../generated/dashboard/history/graphql.ts'
import { formatAmount, formatMoney, listOfMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { texts } from '../texts.ts'
import { Moment } from '../ui/moment.tsx'
import { fieldWords, valueWords } from './field-words.ts'

const words = texts.settings.history

type Change = {
  field: string
  from: string | null
  to: string | null
  fromName: string | null
  toName: string | null
}
export type ChangedEntry = {
  action: HistoryAction
  subject: HistorySubject
  currency: string | null
  changes: readonly Change[]
}

/** What was done, at the beginning of a sentence. */
export function actionName(action: HistoryAction): string {
  const name = words.actions[action]
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The changed fields in the words of the forms, with amounts and days in the program's locale. */
export function ChangedFields({ entry, className }: { entry: ChangedEntry; className?: string }) {
  const shown = shownChanges(entry)
  if (shown.length === 0) return null
  return (
    <ul className={className}>
      {shown.map((change) => (
        <li key={change.field}>
          {fieldWords[entry.subject][change.field] ?? change.field.replace(/^ownFields\./, '')}:{' '}
          <Values entry={entry} change={change} />
        </li>
      ))}
    </ul>
  )
}

/** Amounts are shown with their currency, which has no separate line. */
export const shownChanges = ({ changes }: ChangedEntry): Change[] =>
  changes.filter(
    ({ field, from, to }) =>
      (from !== null || to !== null) && !(field === 'currency' && changes.some((other) => isAmount(other.field))),
  )

const isAmount = (field: string) => field.endsWith('Cents')

function Values({ entry: { changes, currency }, change }: { entry: ChangedEntry; change: Change }) {
  const { field, from, to, fromName, toName } = change
  const ofCurrency = changes.find((other) => other.field === 'commissionCurrency')
  const before = <Value field={field} value={from} name={fromName} currency={ofCurrency?.from ?? currency} />
  const after = <Value field={field} value={to} name={toName} currency={ofCurrency?.to ?? currency} />
  if (from === to || from === null) return after
  return (
    <>
      <del>{before}</del> → {after}
    </>
  )
}

type ValueProps = { field: string; value: string | null; name: string | null; currency: string | null }

/** "2026-11-28T18:27:00.061Z" */
const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const Value = ({ field, value, name, currency }: ValueProps): ReactNode => {
  if (value === null) return texts.money.empty
  if (name !== null) return name
  const word = valueWords[field]?.[value]
  if (word !== undefined) return word
  if (value === '') return texts.money.empty
  if (field === 'minimumPayoutCents' && currency) return formatAmount(BigInt(value), currency)
  if (field === 'minimumPayouts') return listOfMoney(minimumsIn(value))
  if (isAmount(field) && currency) return formatMoney(BigInt(value), currency)
  if (isTime.test(value)) return <Moment at={value} />
  if (field === 'commissionPercent') return words.percent(Number(value))
  if (field.endsWith('BasisPoints')) return words.percent(Number(value) / 100)
  if (field === 'currency' || field === 'commissionCurrency') return value.toUpperCase()
  return numbers.has(field) || field.endsWith('Count') ? formatNumber(value as `${number}`) : value
}

/** The history has the amounts by currency, as JSON. */
const minimumsIn = (json: string) =>
  Object.entries(JSON.parse(json) as Record<string, string>).map(([currency, cents]) => {
    return { currency, amountCents: BigInt(cents) }
  })

const numbers: ReadonlySet<string> = new Set([
  'daysBeforeReferralsExpire',
  'daysBeforeCommissionsAreDue',
  'maxCommissions',
  'maxCommissionPeriodInMonths',
  'clockAdvancedByDays',
  'deliveries',
])
