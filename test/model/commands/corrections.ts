import { expect } from 'vitest'
import { type Affiliate, type Commission, type Model, monthOf, type Sale, undecided } from '../model.ts'
import type { Real } from './command.ts'

/** Adds the corrections of whole periods that a command caused. They are what the model misses, and nothing else. */
export async function adoptCorrections(model: Model, { program }: Real): Promise<void> {
  if (!model.campaigns.some(({ dealVersions }) => dealVersions.at(-1)?.value.some(({ isWhole }) => isWhole))) return
  const missing = model.missingCorrections()
  const { commissions } = await program.graphql(`{ commissions(first: 100, where: { kind: { equals: CORRECTION } }) {
    nodes { id amountCents currency dueAt reason occurredAt affiliate { id } } } }`)
  const known = new Set([...model.corrections, ...model.given].map(({ id }) => id))
  const made = commissions.nodes.filter(({ id }: { id: string }) => !known.has(id)).reverse()
  const rest = new Map(missing.map((one) => [keyOf(one.deal.name, one.affiliate.id, one.month, one.currency), one]))
  const sums = new Map<string, number>()
  for (const {
    id,
    amountCents: amount,
    currency,
    dueAt,
    reason,
    occurredAt,
    affiliate: { id: affiliateId },
  } of made) {
    const name = /the rule "(.+?)"/.exec(reason)?.[1] ?? ''
    const month = monthOf(Date.parse(occurredAt))
    const key = keyOf(name, affiliateId, month, currency)
    sums.set(key, (sums.get(key) ?? 0) + amount)
    const affiliate = model.affiliates.find((one) => one.id === affiliateId) as Affiliate
    const period =
      rest.get(key) ??
      model.corrections.find((one) => keyOf(one.deal.name, one.affiliate.id, one.month, one.currency) === key)
    const deal =
      period?.deal ??
      model.campaigns.flatMap(({ dealVersions }) => dealVersions.at(-1)?.value ?? []).find((one) => one.name === name)
    const campaign = model.campaigns.find(({ dealVersions }) =>
      dealVersions.at(-1)?.value.some((one) => one.name === name),
    )
    if (!deal || !campaign) throw new Error(`There is no deal of the correction "${reason}".`)
    const commission = withoutSale(model, affiliate, { id, amount, currency, dueAt: Date.parse(dueAt) })
    model.corrections.push({ id, amount, commission, deal, campaign, affiliate, month, currency })
    model.given.push({ id, externalId: null, isCorrection: true })
    model.commissions.push(commission)
  }
  const expected = new Map([...rest].map(([key, { amount }]) => [key, amount]))
  expect(nonZero(sums)).toEqual(nonZero(expected))
}

const keyOf = (deal: string, affiliateId: string, month: string, currency: string) =>
  `${deal}, ${affiliateId}, ${month}, ${currency}`

const nonZero = (sums: Map<string, number>) => Object.fromEntries([...sums].filter(([, amount]) => amount !== 0))

/** In the model it is the commission of a sale that is in no list, and has nothing but its affiliate. */
export function withoutSale(
  { now }: Model,
  affiliate: Affiliate,
  given: Pick<Commission, 'id' | 'amount' | 'currency'> & { dueAt?: number },
): Commission {
  const noSale = {
    ...{ occurredAt: now, referral: { affiliate }, amount: given.amount, refunded: 0, refunds: [], items: [] },
    log: [] as Sale['log'],
  } as unknown as Sale
  return {
    dueAt: now,
    ...given,
    sale: noSale,
    refundId: null,
    rule: { ...affiliate.campaign.rule, deal: undefined },
    occurredAt: now,
    ...undecided,
  }
}
