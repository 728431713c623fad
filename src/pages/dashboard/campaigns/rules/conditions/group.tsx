import { ChecksField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition, namesOf } from './condition.ts'

const words = texts.campaigns.rules

export const group = defineCondition<{ groupIds: readonly string[] }>({
  none: { groupIds: [] },
  isOfAffiliate: true,
  Fields({ form, groups }) {
    if (groups.length === 0) return null
    const options = groups.map(({ id, name }) => ({ value: id, name }))
    return <ChecksField form={form} name="groupIds" label={words.group} hint={words.anyGroup} options={options} />
  },
  input: ({ groupIds }) => (groupIds.length > 0 ? { groupIds: [...groupIds] } : {}),
  typed: ({ groupIds }) => ({ groupIds: groupIds ?? [] }),
  said: ({ groupIds }, names) => groupIds && words.ofGroups(namesOf(groupIds, names)),
})
