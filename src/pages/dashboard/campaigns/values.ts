import type {
  CampaignRowFragment,
  CreateCampaignInput,
  RewardType,
  SelfReferralPolicy,
} from '../../../generated/dashboard/campaigns/graphql.ts'
import { createCampaignInput } from '../../../modules/campaigns/input.ts'
import { readDecimal, writeAmount, writeDecimal } from '../../parts/amount.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { checkInput } from '../form/check-input.ts'
import type { Check } from '../form/use-fields.ts'
import { texts } from '../texts.ts'

const words = texts.campaigns.fields

/**
 * What the form of a campaign has, as texts. Numbers are as the locale of the program writes them, and amounts in major
 * units of `commissionCurrency`.
 */
export type CampaignValues = {
  name: string
  url: string
  private: 'yes' | 'no'
  rewardType: RewardType
  commissionPercent: string
  commissionAmountCents: string
  commissionCurrency: string
  minimumPayoutCents: string
  /** As `writeMinimums` writes them. */
  minimumPayouts: string
  daysBeforeReferralsExpire: string
  daysBeforeCommissionsAreDue: string
  maxCommissions: string
  maxCommissionPeriodInMonths: string
  selfReferrals: SelfReferralPolicy
}

/** A new campaign, with the defaults of the service. */
export const newValues = ({ url, currency }: { url: string; currency: string }): CampaignValues => ({
  name: '',
  url,
  private: 'no',
  rewardType: 'PERCENT',
  commissionPercent: '',
  commissionAmountCents: '',
  commissionCurrency: currency.toUpperCase(),
  minimumPayoutCents: '',
  minimumPayouts: '',
  daysBeforeReferralsExpire: '60',
  daysBeforeCommissionsAreDue: '30',
  maxCommissions: '',
  maxCommissionPeriodInMonths: '',
  selfReferrals: 'HOLD',
})

export function valuesOf(campaign: CampaignRowFragment): CampaignValues {
  const { commissionCurrency: currency } = campaign
  const text = (value: number | null) => (value === null ? '' : String(value))
  const amount = (cents: number | null) => (cents === null ? '' : writeAmount(cents, currency))
  return {
    name: campaign.name,
    url: campaign.url,
    private: campaign.private ? 'yes' : 'no',
    rewardType: campaign.rewardType,
    commissionPercent: writeDecimal(text(campaign.commissionPercent)),
    commissionAmountCents: amount(campaign.commissionAmountCents),
    commissionCurrency: currency.toUpperCase(),
    minimumPayoutCents: amount(campaign.minimumPayoutCents),
    minimumPayouts: writeMinimums(
      campaign.minimumPayouts.map(({ currency: code, amountCents }) => {
        return { currency: code.toUpperCase(), amount: writeAmount(amountCents, code) }
      }),
    ),
    daysBeforeReferralsExpire: text(campaign.daysBeforeReferralsExpire),
    daysBeforeCommissionsAreDue: text(campaign.daysBeforeCommissionsAreDue),
    maxCommissions: text(campaign.maxCommissions),
    maxCommissionPeriodInMonths: text(campaign.maxCommissionPeriodInMonths),
    selfReferrals: campaign.selfReferrals,
  }
}

/** The smallest payout of a currency that has its own, as it is typed. */
export type TypedMinimum = { currency: string; amount: string }

/** A line for each: `EUR 20.00`. */
export const writeMinimums = (minimums: readonly TypedMinimum[]): string =>
  minimums.map(({ currency, amount }) => `${currency} ${amount}`).join('\n')

export const readMinimums = (text: string): TypedMinimum[] =>
  text === '' ? [] : text.split('\n').map((line) => ({ currency: line.slice(0, 3), amount: line.slice(4) }))

/** The code of the currency, as the service writes it. */
export const currencyOf = ({ commissionCurrency }: CampaignValues) => commissionCurrency.trim().toLowerCase()

const numberOr = <Other>(text: string, other: Other) => (text.trim() === '' ? other : Number(text))

const percentOf = (text: string) => (text.trim() === '' ? null : Number(readDecimal(text) ?? Number.NaN))

/** The input of a form. An empty limit is null, which removes it. */
export function inputOf(values: CampaignValues): CreateCampaignInput {
  const { rewardType, minimumPayoutCents } = values
  const currency = currencyOf(values)
  return {
    name: values.name,
    url: values.url,
    private: values.private === 'yes',
    rewardType,
    commissionPercent: rewardType === 'PERCENT' ? percentOf(values.commissionPercent) : null,
    commissionAmountCents:
      rewardType === 'AMOUNT' ? Number(centsOf(values.commissionAmountCents, currency) ?? Number.NaN) : null,
    commissionCurrency: currency,
    minimumPayoutCents:
      minimumPayoutCents.trim() === '' ? 0 : Number(centsOf(minimumPayoutCents, currency) ?? Number.NaN),
    minimumPayouts: readMinimums(values.minimumPayouts).map(({ currency: code, amount }) => ({
      currency: code.toLowerCase(),
      amountCents: Number(centsOf(amount, code) ?? Number.NaN),
    })),
    daysBeforeReferralsExpire: numberOr(values.daysBeforeReferralsExpire, Number.NaN),
    daysBeforeCommissionsAreDue: numberOr(values.daysBeforeCommissionsAreDue, Number.NaN),
    maxCommissions: numberOr(values.maxCommissions, null),
    maxCommissionPeriodInMonths: numberOr(values.maxCommissionPeriodInMonths, null),
    selfReferrals: values.selfReferrals,
  }
}

const checkSchema = checkInput<Record<string, unknown>>(createCampaignInput)

export const checkCampaign: Check<CampaignValues> = (values) => {
  const input = inputOf(values)
  const reward = values.rewardType === 'PERCENT' ? 'commissionPercent' : 'commissionAmountCents'
  const amounts = (['commissionAmountCents', 'minimumPayoutCents'] as const).filter((field) =>
    Number.isNaN(input[field] ?? 0),
  )
  return {
    // The schema has words in lower case, as REST does.
    ...checkSchema({
      ...input,
      rewardType: values.rewardType.toLowerCase(),
      selfReferrals: values.selfReferrals.toLowerCase(),
    }),
    ...Object.fromEntries(amounts.map((field) => [field, amountProblem(values[field], currencyOf(values))])),
    ...minimumsProblem(values),
    ...(values[reward].trim() === '' && { [reward]: words.noReward }),
  }
}

function minimumsProblem({ minimumPayouts }: CampaignValues): { minimumPayouts?: string } {
  const [problem] = readMinimums(minimumPayouts).flatMap(
    ({ currency, amount }) => amountProblem(amount, currency) ?? [],
  )
  return problem === undefined ? {} : { minimumPayouts: problem }
}

/** The fields whose values differ, with their new input. */
export function changesOf(before: CampaignValues, after: CampaignValues): Partial<CreateCampaignInput> {
  const [from, to] = [inputOf(before), inputOf(after)]
  return Object.fromEntries(
    Object.entries(to).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(from[field as keyof CreateCampaignInput]),
    ),
  )
}
