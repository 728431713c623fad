import fc from 'fast-check'
import { expect } from 'vitest'
import { type Campaign, type Deal, day, type Model } from '../model.ts'
import { command, pick, position } from './command.ts'

// Commission rules: called deals here, as the model's rules are the campaigns' own.

const reward = fc.oneof(
  fc.record({ basisPoints: fc.integer({ min: 0, max: 10_000 }) }),
  fc.record({ amountCents: fc.constantFrom(1, 300, 2_500) }),
  fc.constant({ isNothing: true as const }),
  fc.record({
    steps: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 10_000 })).map(([from, basisPoints]) => [
      { from: 0, basisPoints: 1_000 },
      { from, basisPoints },
    ]),
    isWhole: fc.boolean(),
    byRevenue: fc.boolean(),
  }),
  fc.record({ leadAmount: fc.constantFrom(1, 250) }),
)
const conditions = fc.record(
  {
    affiliate: position,
    group: position,
    coupon: position,
    product: fc.constantFrom('plan_a', 'book'),
    isFirst: fc.boolean(),
    minimum: fc.constantFrom(1, 5_000, 20_000),
  },
  { requiredKeys: [] },
)
const cap = fc.constantFrom(null, null, { perSale: 2_000, perMonth: 3_000 }, { perSale: 100_000, perMonth: 150 })
const days = fc.constantFrom(0, 0, 7, 40)

/** A version of the campaign's deals, from now on. */
function addVersion(model: Model, campaign: Campaign, deals: Deal[]): void {
  campaign.dealVersions.push({ at: model.now, value: deals })
}

export const createDeal = fc
  .tuple(position, conditions, reward, fc.boolean(), days, fc.constantFrom(null, null, 30), cap)
  .map(([at, when, what, forNewCustomers, daysBefore, daysLong, most]) =>
    command(
      `deal in campaign ${at} ${JSON.stringify({ ...when, ...what, forNewCustomers, daysBefore, daysLong, most })}`,
      () => true,
      async (model, { program }) => {
        const campaign = pick(model.campaigns, at)
        const startsAt = model.now + daysBefore * day
        const isLead = 'leadAmount' in what
        const isWhole = 'steps' in what && what.isWhole
        // The sales of a deal for whole sales that is by revenue would be divided at a threshold.
        const byRevenue = 'steps' in what && what.byRevenue && (isWhole || when.product !== undefined)
        const steps =
          'steps' in what
            ? what.steps.map(({ from, basisPoints }) => ({
                from: byRevenue ? from * 10_000 : from,
                basisPoints: isWhole ? Math.max(basisPoints, 1) : basisPoints,
              }))
            : null
        const ofSales = <T>(value: T) => (isLead ? null : value)
        model.dealNames += 1
        const deal: Omit<Deal, 'id'> = {
          name: `Deal ${model.dealNames}`,
          affiliate: when.affiliate === undefined ? null : pick(model.affiliates, when.affiliate),
          group: when.group === undefined ? null : pick(model.groups, when.group),
          coupon: when.coupon === undefined ? null : ofSales(pick(model.affiliates, when.coupon)),
          product: ofSales(when.product ?? null),
          isFirst: ofSales(when.isFirst ?? null),
          minimum: ofSales(when.minimum ?? null),
          reward: {
            basisPoints: 'basisPoints' in what ? what.basisPoints : null,
            amountCents: 'amountCents' in what ? what.amountCents : null,
          },
          steps,
          isWhole,
          byRevenue,
          leadAmount: isLead ? what.leadAmount : null,
          cap: isLead || isWhole ? null : most,
          forNewCustomers,
          createdAt: model.now,
          startsAt,
          endsAt: daysLong === null ? null : startsAt + daysLong * day,
        }
        const { createCommissionRule } = await program.graphql(
          `mutation ($input: CreateCommissionRuleInput!) {
            createCommissionRule(input: $input) { commissionRule { id } } }`,
          { input: inputOf(campaign, deal) },
        )
        const { id } = createCommissionRule.commissionRule
        addVersion(model, campaign, [...model.dealsOf(campaign, model.now), { ...deal, id }])
      },
    ),
  )

const inputOf = (campaign: Campaign, deal: Omit<Deal, 'id'>) => ({
  campaignId: campaign.id,
  name: deal.name,
  appliesTo: deal.forNewCustomers ? 'NEW_CUSTOMERS' : 'ALL_SALES',
  conditions: {
    ...(deal.affiliate && { affiliateIds: [deal.affiliate.id] }),
    ...(deal.group && { groupIds: [deal.group] }),
    ...(deal.coupon && { couponTokens: [deal.coupon.coupon.toUpperCase()] }),
    ...(deal.product !== null && { productIds: [deal.product] }),
    ...(deal.isFirst !== null && { payment: deal.isFirst ? 'FIRST' : 'RENEWAL' }),
    ...(deal.minimum !== null && { minimumAmountCents: deal.minimum, currency: 'usd' }),
  },
  ...(deal.cap && { cap: { perSaleCents: deal.cap.perSale, perMonthCents: deal.cap.perMonth } }),
  reward: deal.steps
    ? {
        tiers: {
          ...{ measure: deal.byRevenue ? 'REVENUE' : 'CONVERSIONS', period: 'MONTH' },
          appliesTo: deal.isWhole ? 'WHOLE_PERIOD' : 'ABOVE',
          steps: deal.steps.map(({ from, basisPoints }) => ({ from, percent: basisPoints / 100 })),
        },
      }
    : deal.reward.basisPoints !== null
      ? { percent: deal.reward.basisPoints / 100 }
      : deal.reward.amountCents !== null
        ? { amountCents: deal.reward.amountCents }
        : deal.leadAmount !== null
          ? { leadAmountCents: deal.leadAmount }
          : { none: true },
  startsAt: new Date(deal.startsAt).toISOString(),
  ...(deal.endsAt !== null && { endsAt: new Date(deal.endsAt).toISOString() }),
})

export const endDeal = fc.tuple(position, position).map(([at, dealAt]) =>
  command(
    `end deal ${dealAt} of campaign ${at}`,
    (model) => model.dealsOf(pick(model.campaigns, at), model.now).length > 0,
    async (model, { program }) => {
      const campaign = pick(model.campaigns, at)
      const deals = model.dealsOf(campaign, model.now)
      const deal = pick(deals, dealAt)
      const ending = program.graphql(
        'mutation ($input: EndCommissionRuleInput!) { endCommissionRule(input: $input) { commissionRule { endsAt } } }',
        { input: { id: deal.id } },
      )
      if (deal.endsAt !== null && deal.endsAt <= model.now) return expect(ending).rejects.toThrow('has ended')
      const { endCommissionRule } = await ending
      expect(Date.parse(endCommissionRule.commissionRule.endsAt)).toBe(model.now)
      addVersion(
        model,
        campaign,
        deals.map((one) => (one === deal ? { ...one, endsAt: model.now } : one)),
      )
    },
  ),
)
