import { described, optional } from '../../../kernel/input/fields.ts'
import { references } from '../../../kernel/input/lists.ts'
import { defineCondition, maxListed, sorted, unknownIds } from './condition.ts'

export type GroupCondition = { groupIds?: string[] }

const isInOne = ({ groupIds }: GroupCondition, ids: readonly string[]) =>
  !groupIds || groupIds.some((id) => ids.includes(id))

export const group = defineCondition({
  miss: { other_group: 'The affiliate was in none of its groups when the sale occurred.' },
  isOfAffiliate: true,
  input: {
    groupIds: optional(
      described(
        references(maxListed),
        'Only sales of affiliates who are in one of these groups when the sale occurs, also if it is reported later.',
      ),
    ),
  },
  stored: ({ groupIds }): GroupCondition => ({ ...(groupIds && { groupIds: sorted(groupIds) }) }),
  problems: async ({ groupIds = [] }, find) =>
    unknownIds('groupIds', 'Affiliate group', groupIds, await find.groups(groupIds)),
  holds: (stored, sale) => isInOne(stored, sale.groupIds),
  isFor: (stored, earner) => isInOne(stored, earner.groupIds),
})
