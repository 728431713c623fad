import { useState } from 'react'
import { type ChangeFragment, TimelineDocument } from '../../../generated/dashboard/affiliate/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useData } from '../api/use-data.ts'
import { actionName, ChangedFields } from '../history/entry.tsx'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const words = texts.affiliates.one.timeline
const step = 10
const most = 100

/** The changes of the affiliate, their links and their coupon, with the actors. */
export function Timeline({ id }: { id: string }) {
  const [first, setFirst] = useState(step)
  const { data, failure, isLoading, retry } = useData(TimelineDocument, { id, first })
  return (
    <Card title={words.title} lead={words.lead}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data?.history.nodes.length === 0 && <p className="quiet">{words.none}</p>}
      <ol className="timeline">
        {data?.history.nodes.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {data?.history.pageInfo.hasNextPage && first < most && (
        <button type="button" disabled={isLoading} onClick={() => setFirst(Math.min(most, first * 3))}>
          {words.more}
        </button>
      )}
    </Card>
  )
}

function Entry({ entry }: { entry: ChangeFragment }) {
  const { at, action, actor, reason } = entry
  return (
    <li>
      <p>
        {words.by(actionName(action))} <strong>{actorOf(actor)}</strong>{' '}
        <span className="quiet">
          · <Moment at={at} />
        </span>
      </p>
      {reason && <p className="quiet">{reason}</p>}
      <ChangedFields entry={entry} />
    </li>
  )
}

function actorOf({ kind, person, apiKey }: ChangeFragment['actor']): string {
  if (person) return person.name
  if (kind === 'API_KEY') return apiKey ? words.key(apiKey.name) : words.revokedKey
  if (kind === 'AFFILIATE') return words.themselves
  return kind === 'SYSTEM' ? words.nobody : words.operator
}
