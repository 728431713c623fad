import { useState } from 'react'
import { type EntryFragment, TimelineDocument } from '../../../../generated/dashboard/affiliate/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useCampaigns } from '../affiliates/use-campaigns.ts'
import { useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const words = texts.affiliates.one.timeline
/** As history has them: in lower case. */
const states: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(texts.affiliates.states).map(([state, name]) => [state.toLowerCase(), name]),
)
const step = 10
const most = 100

/** Who changed the affiliate, their links and their coupon. */
export function Timeline({ id }: { id: string }) {
  const [first, setFirst] = useState(step)
  const { data, failure, isLoading, retry } = useData(TimelineDocument, { id, first })
  const campaigns = useCampaigns()
  const nameOfCampaign = (campaignId: string) =>
    campaigns.all.find(({ value }) => value === campaignId)?.name ?? campaignId
  return (
    <Card title={words.title} lead={words.lead}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data?.history.nodes.length === 0 && <p className="quiet">{words.none}</p>}
      <ol className="timeline">
        {data?.history.nodes.map((entry) => (
          <Entry key={entry.id} entry={entry} nameOfCampaign={nameOfCampaign} />
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

type EntryProps = { entry: EntryFragment; nameOfCampaign(id: string): string }

function Entry({ entry: { at, action, actor, changes, reason }, nameOfCampaign }: EntryProps) {
  const shown = (field: string, value: string | null) => {
    if (value === null || value === '') return words.empty
    if (field === 'campaignId') return nameOfCampaign(value)
    if (field === 'state') return states[value] ?? value
    if (field.endsWith('At')) return <Moment at={value} />
    return words.flags[value] ?? value
  }
  return (
    <li>
      <p>
        {words.actions[action] ?? words.actions.UPDATED} <strong>{actorOf(actor)}</strong>{' '}
        <span className="quiet">
          · <Moment at={at} />
        </span>
      </p>
      {reason && <p className="quiet">{reason}</p>}
      <ul>
        {changes
          .filter(({ from, to }) => from !== null || to !== null)
          .map(({ field, from, to }) => (
            <li key={field}>
              <span className="quiet">{words.fields[field] ?? field}:</span>{' '}
              {from !== null && from !== to && <del>{shown(field, from)}</del>} {(from === null || from !== to) && '→ '}
              {shown(field, to)}
            </li>
          ))}
      </ul>
    </li>
  )
}

function actorOf({ kind, person, apiKey }: EntryFragment['actor']): string {
  if (person) return person.name
  if (kind === 'API_KEY') return apiKey ? words.key(apiKey.name) : words.revokedKey
  if (kind === 'AFFILIATE') return words.themselves
  return kind === 'SYSTEM' ? words.nobody : words.operator
}
