import { Link } from '@tanstack/react-router'
import type { EntryFragment } from '../../../generated/dashboard/history/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Moment } from '../ui/moment.tsx'
import { ChangedFields, shownChanges } from './entry.tsx'
import { actorName } from './timeline.tsx'

const words = texts.settings.history

/** The columns of entries: what was done, by whom, when. */
export const entryColumns: Column<EntryFragment>[] = [
  {
    name: words.what,
    cell: (entry) => <What entry={entry} />,
    className: 'reference',
    csv: ({ subject, action }) => `${words.subjects[subject]} ${words.actions[action]}`,
  },
  { name: words.which, cell: (entry) => <Subject entry={entry} />, className: 'reference', csv: aboutOf },
  { name: words.who, cell: ({ actor }) => actorName(actor), csv: ({ actor }) => actorName(actor) },
  { name: words.when, cell: ({ at }) => <Moment at={at} />, csv: ({ at }) => at },
]

function What({ entry }: { entry: EntryFragment }) {
  const { subject, action, reason } = entry
  return (
    <>
      {words.subjects[subject]} {words.actions[action]}
      {reason && <span className="quiet second-line">{reason}</span>}
      {shownChanges(entry).length > 0 && (
        <details>
          <summary className="quiet">{words.changes}</summary>
          <ChangedFields entry={entry} className="quiet" />
        </details>
      )}
    </>
  )
}

/** What an entry is about: its name, and the amount of money: that which was recorded, else the present one. */
export function aboutOf({ subjectName, subjectAmount, changes, currency }: EntryFragment): string | undefined {
  const recorded = (...fields: string[]) => {
    const change = changes.find(({ field, from, to }) => fields.includes(field) && (from ?? to) !== null)
    return change && (change.to ?? change.from)
  }
  // What was deleted has no name any more, but its entries have its values.
  const name = subjectName ?? recorded('email', 'source', 'url', 'name')
  const cents = recorded('amountCents')
  const of = currency ?? subjectAmount?.currency
  const amount =
    cents && of
      ? formatMoney(BigInt(cents), of)
      : subjectAmount && formatMoney(subjectAmount.cents, subjectAmount.currency)
  return [name, amount].filter(Boolean).join(', ') || undefined
}

const pages = {
  COMMISSION: '/$program/commissions/$id',
  PAYOUT: '/$program/payouts/$id',
  PAYOUT_RUN: '/$program/payouts/runs/$id',
  AFFILIATE: '/$program/affiliates/$id',
  CAMPAIGN: '/$program/campaigns/$id',
  WEBHOOK_ENDPOINT: '/$program/developers/webhooks/$id',
} as const

/** The same as a link to its page, if it has one. */
function Subject({ entry }: { entry: EntryFragment }) {
  const { program } = useProgram()
  const { subject, subjectId: id, subjectName, subjectAmount } = entry
  if (subject === 'PROGRAM') return <>{program.name}</>
  const about = aboutOf(entry)
  const to = pages[subject as keyof typeof pages]
  const exists = subjectName !== null || subjectAmount !== null
  if (!about) return <>–</>
  if (!to || !(exists || subject === 'AFFILIATE')) return <>{about}</>
  return (
    <Link to={to} params={{ program: program.slug, id }} className="opens">
      {about}
    </Link>
  )
}
