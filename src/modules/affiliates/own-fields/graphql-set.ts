import { programScope } from '../../../graphql/context.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { findAffiliates } from '../find.ts'
import { AffiliateType } from '../graphql.ts'
import { setOwnFieldsInput } from './input.ts'
import { setOwnFields } from './set.ts'

resourceMutation('setOwnFields', 'affiliates', [AffiliateType], {
  description:
    "Gives several affiliates the same values of the program's own fields. Changes all or none, and reports every problem. Fields that are not named stay as they are.",
  input: setOwnFieldsInput,
  resolve: async (ctx, input, query) => {
    const ids = await setOwnFields(programScope(ctx), input)
    return findAffiliates(programScope(ctx), ids, query())
  },
})
