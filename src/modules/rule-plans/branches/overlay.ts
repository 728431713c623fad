import type { Branch } from '../../../generated/prisma/client.ts'
import { divided, type RuleVersion } from '../../rules/versions.ts'
import type { PlannedRule } from '../proposal.ts'

export type BranchRule = { campaignId: string; rule: PlannedRule }

/** What a branch changes about sales of its range. */
export type Overlay = Pick<Branch, 'since' | 'until' | 'attribution'> & { id: string; rules: readonly BranchRule[] }

export const holds = ({ since, until }: Overlay, at: Date): boolean => since <= at && at < until

/** Applies overlays to the rules of a campaign, in their order. Null if the campaign has no rules. */
export function overlaid(version: RuleVersion | null, campaignId: string, overlays: readonly Overlay[]) {
  let result = version
  for (const { id, since, rules } of overlays) {
    const own = rules.filter((one) => one.campaignId === campaignId).map(({ rule }) => rule)
    if (own.length === 0) continue
    const present = [...(result?.rules ?? []), ...(result?.leadRules ?? [])]
    const start = since.toISOString()
    const changed = own.map((rule) => {
      const known = present.find(({ name }) => name === rule.name)
      // A rule that is not stored is newer than all others.
      const identity = known ?? { id: `${id} ${rule.name}`, createdAt: '~' }
      return { ...rule, id: identity.id, createdAt: identity.createdAt, startsAt: start, endsAt: rule.endsAt }
    })
    const others = present.filter(({ name }) => !own.some((rule) => rule.name === name))
    const number = result?.number ?? 0
    result = { number, holdsFrom: result?.holdsFrom ?? since, ...divided([...others, ...changed]) }
  }
  return result
}
