import { SelectField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition, namesOf, optionsOf } from './condition.ts'

const words = texts.campaigns.rules

export const group = defineCondition<{ group: string }>({
  none: { group: '' },
  isOfAffiliate: true,
  Fields({ form, groups }) {
    if (groups.length === 0) return null
    const names = Object.fromEntries(groups.map(({ id, name }) => [id, name]))
    return <SelectField form={form} name="group" label={words.group} options={optionsOf(names, words.anyGroup)} />
  },
  input: (values) => (values.group ? { groupIds: [values.group] } : {}),
  said: ({ groupIds }, names) => groupIds && words.ofGroups(namesOf(groupIds, names)),
})
