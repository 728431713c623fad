import fc from 'fast-check'
import { command, pick, position } from './command.ts'

// Groups of affiliates, which deals can name.

export const changeGroup = fc.tuple(position, position, fc.boolean()).map(([at, groupAt, joins]) =>
  command(
    `affiliate ${at} ${joins ? 'joins' : 'leaves'} group ${groupAt}`,
    () => true,
    async (model, { program }) => {
      const affiliate = pick(model.affiliates, at)
      const group = pick(model.groups, groupAt)
      const name = joins ? 'addAffiliatesToGroup' : 'removeAffiliatesFromGroup'
      await program.graphql(
        `mutation ($id: ID!, $affiliateIds: [ID!]!) {
        ${name}(input: { id: $id, affiliateIds: $affiliateIds }) { affiliateGroup { affiliateCount } } }`,
        {
          id: group,
          affiliateIds: [affiliate.id],
        },
      )
      const others = model.groupsOf(affiliate, model.now).filter((one) => one !== group)
      affiliate.groups.push({ at: model.now, value: joins ? [...others, group] : others })
    },
  ),
)
