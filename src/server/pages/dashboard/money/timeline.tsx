import { formatMoney } from '../../parts/format.tsx'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { formatMoment, Moment } from '../ui/moment.tsx'

const words = texts.money

type Actor = {
  kind: keyof typeof words.actors
  person: { name: string } | null
  apiKey: { name: string } | null
  affiliate: { email: string } | null
}
type Change = { field: string; from: string | null; to: string | null }
type Entry = { id: string; at: string; action: string; reason: string | null; changes: readonly Change[]; actor: Actor }

type TimelineProps = { history: { totalCount: number; nodes: readonly Entry[] }; currency: string }

/** What happened to a commission or payout, who did it, and what changed. Newest first. */
export const Timeline = ({ history: { totalCount, nodes }, currency }: TimelineProps) => (
  <Card title={words.history}>
    <ol className="timeline" hidden={totalCount === 0}>
      {nodes.map(({ id, at, action, reason, changes, actor }) => (
        <li key={id}>
          <p>
            <strong>{words.happened[action] ?? action}</strong>{' '}
            <span className="quiet">
              {actorName(actor)} · <Moment at={at} />
            </span>
          </p>
          {reason && <p>{reason}</p>}
          {changes.length > 0 && (
            <ul className="quiet">
              {changes.map((change) => (
                <li key={change.field}>{sentenceOf(change, currency)}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
    {totalCount === 0 && <p className="quiet">{words.noHistory}</p>}
    {totalCount > nodes.length && <p className="quiet">{words.earlier(totalCount - nodes.length)}</p>}
  </Card>
)

export const actorName = ({ kind, person, apiKey, affiliate }: Actor): string =>
  person?.name ?? (apiKey ? words.byKey(apiKey.name) : (affiliate?.email ?? words.actors[kind]))

function sentenceOf({ field, from, to }: Change, currency: string): string {
  const name = words.changed[field] ?? field
  const [before, after] = [shownValue(field, from, currency), shownValue(field, to, currency)]
  if (before === null) return `${name}: ${after ?? words.empty}`
  return `${name}: ${before} → ${after ?? words.empty}`
}

function shownValue(field: string, value: string | null, currency: string): string | null {
  if (value === null) return null
  if (field === 'amountCents') return formatMoney(BigInt(value), currency)
  if (field === 'dueAt' || field === 'paidAt') return formatMoment(value)
  return words.values[value] ?? value
}
