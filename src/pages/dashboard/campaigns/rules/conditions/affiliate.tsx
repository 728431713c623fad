import { useWatch } from 'react-hook-form'
import type { PersonFragment } from '../../../../../generated/dashboard/picker/graphql.ts'
import { AffiliatesPicker } from '../../../picker/affiliates-picker.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition, namesOf } from './condition.ts'

const words = texts.campaigns.rules

export const affiliate = defineCondition<{ affiliates: readonly PersonFragment[] }>({
  none: { affiliates: [] },
  isOfAffiliate: true,
  Fields({ form }) {
    const chosen = useWatch({ control: form.control, name: 'affiliates' })
    return (
      <AffiliatesPicker
        label={words.affiliate}
        chosen={chosen}
        onChoose={(affiliates) => form.setValue('affiliates', affiliates)}
        nobody={words.anyAffiliate}
      />
    )
  },
  input: ({ affiliates }) => (affiliates.length > 0 ? { affiliateIds: affiliates.map(({ id }) => id) } : {}),
  typed: ({ affiliateIds }, picks) => ({ affiliates: (affiliateIds ?? []).flatMap((id) => picks.get(id) ?? []) }),
  said: ({ affiliateIds }, names) => affiliateIds && words.ofAffiliates(namesOf(affiliateIds, names)),
})
