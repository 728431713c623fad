import { isDeepStrictEqual } from 'node:util'
import type { FlatRate, RewardLine, RewardNewsLine } from '../../texts/en/reward.ts'
import type { RewardBasis } from './reward.ts'
import { rewardLines } from './reward-lines.ts'
import type { RuleVersion } from './versions.ts'

/** What is earned now, and from the next rule on that begins by its date and changes something. */
export type Earnings = { lines: RewardLine[]; planned: { at: Date; lines: RewardLine[] } | null }

/** A change of what is earned. `before` is empty for one that was announced and does not take place. */
export type RewardChange = { at: Date; lines: RewardLine[]; before: RewardLine[] }

/** What an affiliate earns now, and next. */
export function earningsOf({ campaign, version, earner }: RewardBasis, now: Date): Earnings {
  const lines = rewardLines(campaign, version, earner, now)
  for (const at of boundariesOf(version, ({ startsAt }) => [startsAt])) {
    if (at <= now) continue
    const later = rewardLines(campaign, version, earner, at)
    if (!isSame(withoutEnds(lines), withoutEnds(later))) return { lines, planned: { at, lines: later } }
  }
  return { lines, planned: null }
}

/** When rules of a version begin or end, the earliest first. */
export function boundariesOf(
  version: RuleVersion | null,
  timesOf: (rule: RuleVersion['rules'][number]) => (string | null)[] = ({ startsAt, endsAt }) => [startsAt, endsAt],
): Date[] {
  const rules = version ? [...version.rules, ...version.leadRules] : []
  const times = new Set(rules.flatMap(timesOf).filter((at) => at !== null))
  return [...times].sort().map((at) => new Date(at))
}

/**
 * What is new to an affiliate who knows other earnings, the earliest first. A change that was announced is not new when
 * it comes. An end that makes room for a planned change is said with that change.
 * @param since when a change of now began
 */
export function changesOf(known: Earnings, present: Earnings, now: Date, since: Date): RewardChange[] {
  const isReached = known.planned !== null && known.planned.at <= now
  const expected: Earnings = isReached && known.planned ? { lines: known.planned.lines, planned: null } : known
  const isPlanChanged = !isSame(expected.planned, present.planned)
  const of = isPlanChanged ? withoutEnds : (lines: RewardLine[]) => lines
  const changes: RewardChange[] = []
  if (!isSame(of(expected.lines), of(present.lines)))
    changes.push({ at: since, lines: present.lines, before: expected.lines })
  if (isPlanChanged && present.planned) changes.push({ ...present.planned, before: present.lines })
  else if (isPlanChanged && expected.planned && changes.length === 0)
    changes.push({ at: expected.planned.at, lines: present.lines, before: [] })
  return changes
}

/** The sentence of a change. */
export function newsLine({ at, lines, before }: RewardChange): RewardNewsLine {
  if (before.length === 0) return { code: 'withdrawn', at }
  const [rate, old] = [baseRate(lines), baseRate(before)]
  return rate && old && !isSame(rate, old) ? { code: 'rate', at, rate, old } : { code: 'other', at }
}

/** What any sale earns, if it is one rate. */
function baseRate(lines: readonly RewardLine[]): FlatRate {
  const base = lines.find(({ code }) => code === 'earn')
  return base?.code === 'earn' && 'flat' in base.rate ? base.rate.flat : null
}

const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(a, b)

const withoutEnds = (lines: readonly RewardLine[]): RewardLine[] =>
  lines
    .filter(({ code }) => code !== 'until')
    .map((line) => {
      if (line.code === 'special') return { ...line, limits: { ...line.limits, until: null } }
      return line.code === 'lead' ? { ...line, until: null } : line
    })
