import type { EventWhere } from '../../../generated/dashboard/developers/graphql.ts'

/** What the form of a webhook endpoint asks of an event. Absent parts ask for nothing. */
export type Condition = {
  campaignId?: string
  affiliateId?: string
  /** In minor units of `currency`. */
  leastCents?: number
  currency?: string
}

/** The parts of a condition: the field of `EventWhere`, its operator, and the name here. */
const parts = {
  campaignId: ['equals', 'campaignId'],
  affiliateId: ['equals', 'affiliateId'],
  amountCents: ['gte', 'leastCents'],
  currency: ['equals', 'currency'],
} as const

/** Reads the condition of an endpoint, which is JSON. Null if the form cannot show it: the API takes any condition. */
export function readCondition(where: string | null): Condition | null {
  const condition: Record<string, unknown> = {}
  for (const [field, filter] of Object.entries<object>(JSON.parse(where ?? '{}'))) {
    const [operator, name] = parts[field as keyof typeof parts] ?? []
    const [[given, value] = [], ...more] = Object.entries(filter)
    if (name === undefined || given !== operator || more.length > 0 || value === null) return null
    condition[name] = value
  }
  const { leastCents, currency } = condition
  return (leastCents === undefined) === (currency === undefined) ? condition : null
}

/** Null if it asks for nothing. */
export function writeCondition({ campaignId, affiliateId, leastCents, currency }: Condition): EventWhere | null {
  const where: EventWhere = {
    ...(campaignId && { campaignId: { equals: campaignId } }),
    ...(affiliateId && { affiliateId: { equals: affiliateId } }),
    ...(leastCents !== undefined &&
      currency !== undefined && { amountCents: { gte: leastCents }, currency: { equals: currency } }),
  }
  return Object.keys(where).length > 0 ? where : null
}
