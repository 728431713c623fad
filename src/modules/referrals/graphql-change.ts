import { programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { endReferral, moveReferral } from './change.ts'
import { ReferralType } from './graphql.ts'
import { endReferralInput, moveReferralInput } from './input.ts'
import { findReferral } from './service.ts'

resourceMutation('endReferral', 'referral', ReferralType, {
  description:
    'Ends a referral: sales from now on are not attributed to it. Earlier sales and their commissions stay. `moveReferral` to the same affiliate takes it back. Idempotent.',
  ids: { id: 'The id of the referral.' },
  input: endReferralInput,
  resolve: async (ctx, { id, ...input }, query) => {
    const scope = programScope(ctx)
    return findReferral(scope, await endReferral(scope, id, input), query())
  },
})

resourceMutation('moveReferral', 'referral', ReferralType, {
  description:
    "Gives the customer of a referral to another affiliate. The customer's other referrals end, and sales from now on belong to the referral in the response. Earlier sales and their commissions stay: `changeSale` moves one of them.",
  ids: { id: 'The id of the referral.' },
  input: moveReferralInput,
  resolve: async (ctx, { id, ...input }, query) => {
    const scope = programScope(ctx)
    return findReferral(scope, await moveReferral(scope, id, input), query())
  },
})
