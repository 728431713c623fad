import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'
import { actionName, type ChangedEntry, ChangedFields } from './entry.tsx'

const words = texts.money

type Actor = {
  kind: keyof typeof words.actors
  person: { name: string } | null
  apiKey: { name: string } | null
  affiliate: { email: string } | null
}
type Entry = ChangedEntry & { id: string; at: string; reason: string | null; actor: Actor }

type TimelineProps = { history: { totalCount: number; nodes: readonly Entry[] } }

/** What happened to a commission or payout, who did it, and what changed. Newest first. */
export const Timeline = ({ history: { totalCount, nodes } }: TimelineProps) => (
  <Card title={words.history}>
    <ol className="timeline" hidden={totalCount === 0}>
      {nodes.map(({ id, at, reason, actor, ...entry }) => (
        <li key={id}>
          <p>
            <strong>{actionName(entry.action)}</strong>{' '}
            <span className="quiet">
              {actorName(actor)} · <Moment at={at} />
            </span>
          </p>
          {reason && <p>{reason}</p>}
          <ChangedFields entry={entry} className="quiet" />
        </li>
      ))}
    </ol>
    {totalCount === 0 && <p className="quiet">{words.noHistory}</p>}
    {totalCount > nodes.length && <p className="quiet">{words.earlier(totalCount - nodes.length)}</p>}
  </Card>
)

export const actorName = ({ kind, person, apiKey, affiliate }: Actor): string =>
  person?.name ?? (apiKey ? words.byKey(apiKey.name) : (affiliate?.email ?? words.actors[kind]))
