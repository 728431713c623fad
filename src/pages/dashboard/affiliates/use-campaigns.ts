import { CampaignChoicesDocument } from '../../../generated/dashboard/affiliates/graphql.ts'
import { useData } from '../api/use-data.ts'
import type { Option } from '../form/fields.tsx'
import { texts } from '../texts.ts'

type Campaigns = {
  /** All campaigns by name, archived ones too. */
  all: readonly Option[]
  /** Those that affiliates can join. */
  active: readonly Option[]
  defaultId: string
}

/** The campaigns of the program, as the options of a filter or a field. The first hundred, by name. */
export function useCampaigns(): Campaigns {
  const { data } = useData(CampaignChoicesDocument, {})
  const nodes = data?.campaigns.nodes ?? []
  const all = nodes.map(({ id, name, archivedAt }) => ({
    value: id,
    name: archivedAt === null ? name : texts.affiliates.archived(name),
  }))
  return {
    all,
    active: all.filter((_option, index) => nodes[index]?.archivedAt === null),
    defaultId: nodes.find(({ isDefault }) => isDefault)?.id ?? '',
  }
}
