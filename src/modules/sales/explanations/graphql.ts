import { batched, type Load, prime } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import type { GraphQLContext } from '../../../graphql/context.ts'
import { argsOf } from '../../../graphql/inputs.ts'
import { moneyBeside, moneyOf } from '../../../graphql/money.ts'
import { whyTexts } from '../../../texts/texts.ts'
import { plainWhy, sayWhy } from '../../../texts/why.ts'
import { RewardTypeEnum, SelfReferralPolicyEnum } from '../../campaigns/graphql-enums.ts'
import { languageInput, wordsFor } from '../../programs/graphql-words.ts'
import { RuleOfSaleType } from '../../rules/graphql.ts'
import type { Decision, DroppedField, TriedSignal } from '../decision.ts'
import { AttributionSignalEnum, RoundingEnum, SignalOutcomeEnum } from '../graphql-enums.ts'
import { type ExplainedSale, type Explanation, explainedBy, explainSale } from './explain.ts'
import { explainedToAffiliate } from './for-affiliate.ts'
import { explainedGiven } from './graphql-given.ts'
import { ExplanationLineType } from './graphql-lines.ts'

const forAffiliate = true

export const TriedSignalType = builder.objectRef<TriedSignal>('TriedSignal').implement({
  description: 'A signal in the report of a sale, and the outcome of searching for the affiliate by it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    signal: t.expose('signal', { type: AttributionSignalEnum, description: 'The signal that was tried.' }),
    outcome: t.expose('outcome', { type: SignalOutcomeEnum, description: 'Whether the signal matched, or why not.' }),
  }),
})

export const DroppedFieldType = builder.objectRef<DroppedField>('DroppedField').implement({
  description: 'A field of a report that was left out, because it could not be used. The sale was recorded without it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The name of the field in the input of `reportConversion`.' }),
    problem: t.exposeString('problem', { description: 'Why it could not be used, in English.' }),
  }),
})

const CountedLimitsType = builder.objectRef<Decision>('CountedLimits').implement({
  description: "The campaign's limits, and what had been counted against them when the sale was recorded.",
  subGraphs: publicOnly,
  fields: (t) => ({
    commissions: t.int({
      description: "The number of the referral's commissions before this sale, without void ones.",
      resolve: ({ counted }) => counted.commissions,
    }),
    maxCommissions: t.int({
      nullable: true,
      description: 'The most commissions that a referral may earn. Null if there is no limit.',
      resolve: ({ rule }) => rule.maxCommissions,
    }),
    periodBeganAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the sale of the first commission occurred, which started the commission period. Null if there was none.',
      resolve: ({ counted }) => toDate(counted.periodBeganAt),
    }),
    periodEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The end of the commission period. Sales from then on earn nothing. Null if the period has no end or had not started.',
      resolve: ({ counted }) => toDate(counted.periodEndsAt),
    }),
  }),
})

const AppliedRuleType = builder.objectRef<Decision['rule']>('AppliedRule').implement({
  description: "The campaign's rule that was applied to this sale. Later changes of the campaign do not affect it.",
  subGraphs: publicOnly,
  fields: (t) => ({
    rewardType: t.expose('rewardType', {
      type: RewardTypeEnum,
      description: 'Whether a sale earns a percentage or a fixed amount.',
    }),
    commissionPercent: t.float({
      nullable: true,
      description: 'The percentage of the sale that is earned. Null if a fixed amount is earned.',
      resolve: ({ basisPoints }) => (basisPoints === null ? null : basisPoints / 100),
    }),
    commissionAmountCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'The fixed amount that is earned, in minor units of `commissionCurrency`. Null if a percentage is earned.',
      resolve: ({ amountCents }) => (amountCents === null ? null : BigInt(amountCents)),
    }),
    commissionAmount: t.field({
      ...moneyBeside('commissionAmountCents'),
      nullable: true,
      resolve: ({ amountCents, currency }) => moneyOf(amountCents === null ? null : BigInt(amountCents), currency),
    }),
    commissionCurrency: t.expose('currency', {
      type: 'Currency',
      description: 'The currency of the fixed amount, as a lower-case ISO 4217 code.',
    }),
    daysBeforeDue: t.exposeInt('daysBeforeDue', { description: 'The number of days from the sale to the due date.' }),
    maxCommissions: t.exposeInt('maxCommissions', {
      nullable: true,
      description: 'The most commissions that a referral may earn. Null if there is no limit.',
    }),
    maxCommissionPeriodInMonths: t.exposeInt('maxPeriodInMonths', {
      nullable: true,
      description: 'How many months after its first commission a referral earns. Null if there is no limit.',
    }),
    selfReferrals: t.expose('selfReferrals', {
      type: SelfReferralPolicyEnum,
      description: "How the campaign treats sales to the affiliate's own mailbox or company.",
    }),
  }),
})

export const ExplanationType = builder.objectRef<Explanation>('Explanation').implement({
  description: 'Why a sale was attributed to its affiliate, and how its commission was calculated.',
  subGraphs: publicOnly,
  fields: (t) => ({
    summary: t.stringList({
      forAffiliate,
      description: 'The explanation in English sentences.',
      resolve: ({ summary }) => summary.map(plainWhy),
    }),
    sentences: t.stringList({
      forAffiliate: { args: ['language'] },
      args: argsOf(languageInput),
      description:
        "The explanation and the reason for the due date, in sentences of a language, with amounts and days as the program's locale writes them.",
      resolve: async ({ summary, dueReason }, args, ctx) => {
        const { language, writer } = await wordsFor(ctx, args)
        return [...summary, ...(dueReason ? [dueReason] : [])].map((line) => sayWhy(line, whyTexts[language], writer))
      },
    }),
    matchedBy: t.expose('matchedBy', {
      forAffiliate,
      type: AttributionSignalEnum,
      nullable: true,
      description: 'The signal that led to the affiliate. Null for a commission that was given by hand.',
    }),
    signals: t.field({
      type: [TriedSignalType],
      description:
        'Every signal with its outcome, in the order in which they are tried. Empty for sales that were recorded before decisions were stored.',
      resolve: ({ decision }) => decision?.signals ?? [],
    }),
    dropped: t.field({
      type: [DroppedFieldType],
      description: 'The fields of the report that were left out, because they could not be used.',
      resolve: ({ decision }) => decision?.dropped ?? [],
    }),
    rule: t.field({
      type: AppliedRuleType,
      nullable: true,
      description: 'The rule that was applied. Null for sales that were recorded before decisions were stored.',
      resolve: ({ decision }) => decision?.rule ?? null,
    }),
    commissionRule: t.field({
      type: RuleOfSaleType,
      nullable: true,
      description: 'Which commission rule applied. Null if the campaign had none beside its own reward.',
      resolve: ({ decision }) => decision?.rule.applied ?? null,
    }),
    limits: t.field({
      type: CountedLimitsType,
      nullable: true,
      description:
        'The limits of the rule, and what had been counted. Null for sales that were recorded before decisions were stored.',
      resolve: ({ decision }) => decision,
    }),
    baseCents: t.field({
      forAffiliate,
      type: 'SafeInt',
      description:
        'The amount that the rule is applied to, in minor units of `baseCurrency`: the sale, less the refunds before the commission was paid.',
      resolve: ({ base }) => base.amountCents,
    }),
    base: t.field({ forAffiliate, ...moneyBeside('baseCents'), resolve: ({ base }) => base }),
    baseCurrency: t.field({
      forAffiliate,
      type: 'Currency',
      description: 'The currency of the sale, as a lower-case ISO 4217 code.',
      resolve: ({ base }) => base.currency,
    }),
    exactAmount: t.exposeString('exactAmount', {
      forAffiliate,
      nullable: true,
      description:
        'base * percent / 100 before rounding, in minor units with all decimals. Null if a fixed amount is earned, or if the items earn by themselves.',
    }),
    rounding: t.field({
      forAffiliate,
      type: RoundingEnum,
      nullable: true,
      description: 'How `exactAmount` is rounded to whole minor units. Null if a fixed amount is earned.',
      resolve: ({ exactAmount }) => (exactAmount === null ? null : 'half_up'),
    }),
    calculatedCents: t.expose('calculatedCents', {
      forAffiliate,
      type: 'SafeInt',
      nullable: true,
      description:
        'The amount by the rule, in minor units of the currency of the commission. A commission that was amended by hand has a different amount. Null if the sale earned no commission.',
    }),
    lines: t.expose('lines', {
      forAffiliate,
      type: [ExplanationLineType],
      description:
        'What each item of the sale earns, if they earn by themselves. Empty if one reward is for the whole sale.',
    }),
    dueReason: t.string({
      forAffiliate,
      nullable: true,
      description: 'The reason for the due date of the commission, in English. Null if the sale earned no commission.',
      resolve: ({ dueReason }) => dueReason && plainWhy(dueReason),
    }),
  }),
})

const toDate = (text: string | null) => (text === null ? null : new Date(text))

/** Reads a sale with the rows that explain it. The query itself may select other commissions of it. */
export const explainedSale = (ctx: GraphQLContext, sale: { programId: string; id: string }): Promise<ExplainedSale> =>
  batched(ctx, `explained ${sale.programId}`, sale.id, readerOf(ctx, sale.programId))

/** Caches the sale of a dry run, which is rolled back before it is explained. */
export const primeExplainedSale = (ctx: GraphQLContext, sale: ExplainedSale): void =>
  prime(ctx, `explained ${sale.programId}`, sale.id, sale, readerOf(ctx, sale.programId))

const readerOf =
  (ctx: GraphQLContext, programId: string): Load<ExplainedSale> =>
  async (ids) => {
    const sales = await ctx.db.sale.findMany({ where: { programId, id: { in: [...ids] } }, include: explainedBy })
    const byId = new Map(sales.map((sale) => [sale.id, sale]))
    return ids.map((id) => byId.get(id) as ExplainedSale)
  }

builder.prismaObjectField('Commission', 'explanation', (t) =>
  t.field({
    forAffiliate,
    type: ExplanationType,
    subGraphs: publicOnly,
    description:
      'Why the sale was attributed to the affiliate, and how the commission and its due date were calculated; or who gave the commission, and why. With an affiliate token it names no other person, and no rule.',
    resolve: async (commission, _args, ctx) => {
      const { programId, saleId } = commission
      const explanation =
        saleId === null
          ? await explainedGiven(ctx, commission)
          : explainSale(await explainedSale(ctx, { programId, id: saleId }), commission)
      return ctx.actor.kind === 'affiliate' ? explainedToAffiliate(explanation) : explanation
    },
  }),
)
