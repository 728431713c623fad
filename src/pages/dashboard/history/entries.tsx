import { Link } from '@tanstack/react-router'
import type { EntryFragment } from '../../../generated/dashboard/history/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { actorName } from '../money/timeline.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Moment } from '../ui/moment.tsx'
import { ChangedFields, shownChanges } from './changed.tsx'

const words = texts.settings.history

/** The columns of entries: what was done, by whom, when. */
export const entryColumns: Column<EntryFragment>[] = [
  { name: words.what, cell: (entry) => <What entry={entry} />, className: 'reference' },
  { name: words.which, cell: (entry) => <Subject entry={entry} />, className: 'reference' },
  { name: words.who, cell: ({ actor }) => actorName(actor) },
  { name: words.when, cell: ({ at }) => <Moment at={at} /> },
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

/** The name of what an entry is about, as a link to its page if it has one. */
function Subject({ entry: { subject, subjectId: id, subjectName, changes } }: { entry: EntryFragment }) {
  const { program } = useProgram()
  const recorded = changes.find(({ field }) => field === 'email' || field === 'source' || field === 'url')
  const name = subjectName ?? recorded?.to ?? recorded?.from
  const params = { program: program.slug, id }
  if (subject === 'COMMISSION' || subject === 'PAYOUT') {
    const to = subject === 'COMMISSION' ? '/$program/commissions/$id' : '/$program/payouts/$id'
    return (
      <Link to={to} params={params}>
        {texts.details}
      </Link>
    )
  }
  if (subject === 'PROGRAM') return <>{program.name}</>
  if (!name) return <>–</>
  if (subject === 'AFFILIATE')
    return (
      <Link to="/$program/affiliates/$id" params={params}>
        {name}
      </Link>
    )
  if (subject === 'CAMPAIGN' && subjectName)
    return (
      <Link to="/$program/campaigns/$id" params={params}>
        {name}
      </Link>
    )
  if (subject === 'WEBHOOK_ENDPOINT' && subjectName)
    return (
      <Link to="/$program/developers/webhooks/$id" params={params}>
        {name}
      </Link>
    )
  return <>{name}</>
}
