import { ConditionNamesDocument } from '../../../generated/dashboard/developers/graphql.ts'
import type { PersonFragment } from '../../../generated/dashboard/picker/graphql.ts'
import { useData } from '../api/use-data.ts'
import type { Condition } from './condition.ts'

type Names = { affiliate: PersonFragment | null; campaign: string | null; isLoading: boolean }

/** The names of what a condition has the ids of. */
export function useConditionNames(condition: Condition | null): Names {
  const { affiliateId = '', campaignId = '' } = condition ?? {}
  const variables = { affiliateId, campaignId, hasAffiliate: affiliateId !== '', hasCampaign: campaignId !== '' }
  const isPlain = affiliateId === '' && campaignId === ''
  const { data, failure } = useData(ConditionNamesDocument, variables, { pause: isPlain })
  return {
    affiliate: data?.affiliate ?? null,
    campaign: data?.campaign?.name ?? null,
    isLoading: !isPlain && !data && !failure,
  }
}
