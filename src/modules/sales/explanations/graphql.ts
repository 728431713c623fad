import { batched, type Load, prime } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import type { GraphQLContext } from '../../../graphql/context.ts'
import { RewardTypeEnum, SelfReferralPolicyEnum } from '../../campaigns/graphql-enums.ts'
import { AttributionSignalEnum, SignalOutcomeEnum } from '../graphql-enums.ts'
import type { Decision, TriedSignal } from '../report/decision.ts'
import { type Explanation, explainedBy, explainSale, type SaleWithMoney } from './explain.ts'

export const TriedSignalType = builder.objectRef<TriedSignal>('TriedSignal').implement({
  description: 'What came of looking for the affiliate by one signal.',
  subGraphs: publicOnly,
  fields: (t) => ({
    signal: t.expose('signal', { type: AttributionSignalEnum }),
    outcome: t.expose('outcome', { type: SignalOutcomeEnum }),
  }),
})

const CountedType = builder.objectRef<Decision>('CountedLimits').implement({
  description: "What the rule's limits counted when the sale was recorded.",
  subGraphs: publicOnly,
  fields: (t) => ({
    commissions: t.int({
      description: "The customer's commissions before this sale, without void ones.",
      resolve: ({ counted }) => counted.commissions,
    }),
    maxCommissions: t.int({
      nullable: true,
      description: 'How many there may be; null: any number.',
      resolve: ({ rule }) => rule.maxCommissions,
    }),
    periodBeganAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the first of them occurred; null where there was none.',
      resolve: ({ counted }) => moment(counted.periodBeganAt),
    }),
    periodEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'From then on sales earn nothing; null: without end, or not begun.',
      resolve: ({ counted }) => moment(counted.periodEndsAt),
    }),
  }),
})

const AppliedRuleType = builder.objectRef<Decision['rule']>('AppliedRule').implement({
  description: "The campaign's rule as it was for this sale; what the campaign became later does not reach it.",
  subGraphs: publicOnly,
  fields: (t) => ({
    rewardType: t.expose('rewardType', { type: RewardTypeEnum }),
    commissionPercent: t.float({
      nullable: true,
      description: 'The share of the sale that is paid; null where a fixed amount is.',
      resolve: ({ basisPoints }) => (basisPoints === null ? null : basisPoints / 100),
    }),
    commissionAmountCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'The fixed amount, in minor units of `commissionCurrency`; null where a share is paid.',
      resolve: ({ amountCents }) => (amountCents === null ? null : BigInt(amountCents)),
    }),
    commissionCurrency: t.expose('currency', {
      type: 'Currency',
      description: 'Of the fixed amount: ISO 4217, lower case.',
    }),
    daysBeforeDue: t.exposeInt('daysBeforeDue', { description: 'Days from the sale to the due date.' }),
    maxCommissions: t.exposeInt('maxCommissions', { nullable: true }),
    maxCommissionPeriodInMonths: t.exposeInt('maxPeriodInMonths', { nullable: true }),
    selfReferrals: t.expose('selfReferrals', { type: SelfReferralPolicyEnum }),
  }),
})

/** Why a sale earned what it did: a field of the sale, of its commissions, and of the answer to a report. */
export const ExplanationType = builder.objectRef<Explanation>('Explanation').implement({
  description: 'Why a sale earned what it did, or nothing.',
  subGraphs: publicOnly,
  fields: (t) => ({
    summary: t.exposeStringList('summary', { description: 'The same in sentences, for a person.' }),
    matchedBy: t.expose('matchedBy', { type: AttributionSignalEnum, description: 'Which signal found the affiliate.' }),
    signals: t.field({
      type: [TriedSignalType],
      description: 'Every signal in the order in which they are tried; empty for sales of before such facts were kept.',
      resolve: ({ decision }) => decision?.signals ?? [],
    }),
    rule: t.field({ type: AppliedRuleType, nullable: true, resolve: ({ decision }) => decision?.rule ?? null }),
    limits: t.field({ type: CountedType, nullable: true, resolve: ({ decision }) => decision }),
    baseCents: t.field({
      type: 'SafeInt',
      description: 'What the rule is applied to: the sale, without refunds that came before the commission was paid.',
      resolve: ({ base }) => base.amountCents,
    }),
    baseCurrency: t.field({ type: 'Currency', resolve: ({ base }) => base.currency }),
    exactAmount: t.exposeString('exactAmount', {
      nullable: true,
      description: 'base * percent / 100 in minor units, before it is rounded; null where a fixed amount is paid.',
    }),
    rounding: t.string({
      nullable: true,
      description: 'How the exact amount becomes whole minor units.',
      resolve: ({ exactAmount }) => (exactAmount === null ? null : 'HALF_UP'),
    }),
    calculatedCents: t.expose('calculatedCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        'What the rule gives for the base; a commission that was amended by hand has another amount. Null where the sale earned nothing.',
    }),
    dueReason: t.exposeString('dueReason', {
      nullable: true,
      description: 'Why the commission is due when it is, or what it waits for.',
    }),
  }),
})

const moment = (text: string | null) => (text === null ? null : new Date(text))

/**
 * A sale with what explains it. It is read apart from the sale itself: who asks for the sale's commissions beside the
 * explanation may ask for others, or a page of them.
 */
export const explainedSale = (ctx: GraphQLContext, sale: { programId: string; id: string }): Promise<SaleWithMoney> =>
  batched(ctx, `explained ${sale.programId}`, sale.id, readerOf(ctx, sale.programId))

/** For a sale that will be gone when it is explained: a simulated one. */
export const rememberExplained = (ctx: GraphQLContext, sale: SaleWithMoney): void =>
  prime(ctx, `explained ${sale.programId}`, sale.id, sale, readerOf(ctx, sale.programId))

const readerOf =
  (ctx: GraphQLContext, programId: string): Load<SaleWithMoney> =>
  async (ids) => {
    const sales = await ctx.db.sale.findMany({ where: { programId, id: { in: [...ids] } }, include: explainedBy })
    const byId = new Map(sales.map((sale) => [sale.id, sale]))
    return ids.map((id) => byId.get(id) as SaleWithMoney)
  }

builder.prismaObjectField('Commission', 'explanation', (t) =>
  t.field({
    type: ExplanationType,
    subGraphs: publicOnly,
    description: 'How it came about: the signal, the rule, what it was applied to, the limits, the due date.',
    resolve: async (commission, _args, ctx) => {
      const { programId, saleId } = commission
      return explainSale(await explainedSale(ctx, { programId, id: saleId }), commission)
    },
  }),
)
