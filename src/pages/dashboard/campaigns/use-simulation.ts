import { useEffect, useState } from 'react'
import {
  type CampaignRules,
  SimulationDocument,
  type SimulationQuery,
} from '../../../generated/dashboard/campaigns/graphql.ts'
import { type Loaded, useData } from '../api/use-data.ts'
import { timeZone } from '../figures/ranges.ts'
import { type CampaignValues, changesOf, checkCampaign, inputOf } from './values.ts'

/** The rules that decide what past sales would have cost. */
const simulatedFields = [
  'rewardType',
  'commissionPercent',
  'commissionAmountCents',
  'commissionCurrency',
  'maxCommissions',
  'maxCommissionPeriodInMonths',
  'daysBeforeReferralsExpire',
] as const

/** The campaign that is changed, and its values before. */
export type Changed = { id: string; before: CampaignValues }

/** The changed rules of a campaign, or all rules of a new one. Null while one of them is invalid. */
export function rulesOf(values: CampaignValues, of?: Changed): CampaignRules | null {
  const problems = checkCampaign(values)
  if (simulatedFields.some((field) => problems[field] !== undefined)) return null
  const given = of ? changesOf(of.before, values) : inputOf(values)
  // A reward is one rule in several fields.
  const isRewardChanged = ['rewardType', 'commissionPercent', 'commissionAmountCents'].some((field) => field in given)
  const { rewardType, commissionPercent, commissionAmountCents } = inputOf(values)
  const reward = isRewardChanged ? { rewardType, commissionPercent, commissionAmountCents } : {}
  const wanted = Object.entries({ ...given, ...reward }).filter(
    ([field]) =>
      (simulatedFields as readonly string[]).includes(field) && (of || field !== 'daysBeforeReferralsExpire'),
  )
  return Object.fromEntries(wanted)
}

/** Nothing is asked while somebody types. */
const typingMs = 400

type Simulated = Loaded<SimulationQuery> & { rules: CampaignRules | null; isChanged: boolean }

/** What the rules of a form would have cost on the sales of last quarter. */
export function useSimulation(values: CampaignValues, of?: Changed): Simulated {
  const wanted = JSON.stringify(rulesOf(values, of))
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), typingMs)
    return () => clearTimeout(timer)
  }, [wanted])
  const rules = JSON.parse(asked) as CampaignRules | null
  const loaded = useData(
    SimulationDocument,
    {
      input: { range: { preset: 'LAST_QUARTER' }, timeZone, rules: rules ?? {}, ...(of && { campaignId: of.id }) },
    },
    { pause: rules === null },
  )
  return { ...loaded, rules, isChanged: rules !== null && Object.keys(rules).length > 0 }
}
