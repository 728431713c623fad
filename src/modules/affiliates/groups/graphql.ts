import { batched } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { programScope } from '../../../graphql/context.ts'
import { lookUp } from '../../../graphql/look-up-field.ts'
import { mutation, resourceMutation } from '../../../graphql/mutation.ts'
import { createAffiliateGroupInput, groupMembersInput, updateAffiliateGroupInput } from './input.ts'
import { affiliateGroupListing } from './listing.ts'
import { countMembers, readGroups } from './members.ts'
import {
  changeAffiliateGroup,
  createAffiliateGroup,
  deleteAffiliateGroup,
  findAffiliateGroup,
  updateAffiliateGroup,
} from './service.ts'

export const AffiliateGroupType = builder.prismaObject('AffiliateGroup', {
  description:
    'Affiliates that commission rules and lists can name together. An affiliate can be in any number of groups. `affiliates(where: { groupId: … })` lists those of a group.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the group, a UUID.' }),
    name: t.exposeString('name', {
      description: 'What it is called. Unique in the program, compared without regard to case.',
    }),
    affiliateCount: t.int({
      description: 'The number of affiliates in the group, in any state.',
      resolve: ({ id }, _args, ctx) => {
        const scope = programScope(ctx)
        return batched(ctx, 'members of groups', id, (ids) => countMembers(scope.db, scope.program.id, ids))
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the group was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last renamed. Changes of its affiliates do not count.',
    }),
  }),
})

const affiliateGroupConnection = connectionOf(affiliateGroupListing, AffiliateGroupType)

rootConnection('affiliateGroups', affiliateGroupConnection, "The program's groups of affiliates.")

lookUp(
  'affiliateGroup',
  AffiliateGroupType,
  { description: 'Finds a group of affiliates by id.', id: 'The id of the group.' },
  findAffiliateGroup,
)

builder.prismaObjectField('Affiliate', 'groups', (t) =>
  t.field({
    type: [AffiliateGroupType],
    subGraphs: publicOnly,
    select: { id: true },
    description: 'The groups that the affiliate is in, by name.',
    resolve: ({ id }, _args, ctx) => {
      const scope = programScope(ctx)
      return batched(ctx, 'groups', id, (ids) => readGroups(scope.db, scope.program.id, ids))
    },
  }),
)

const ids = { id: 'The id of the group.' }

resourceMutation('createAffiliateGroup', 'affiliateGroup', AffiliateGroupType, {
  description: 'Creates a group of affiliates. They are in it from now on: sales that occurred before do not count.',
  input: createAffiliateGroupInput,
  resolve: async (ctx, input, query) => {
    const id = await createAffiliateGroup(programScope(ctx), input)
    return findAffiliateGroup(programScope(ctx), id, query())
  },
})

resourceMutation('updateAffiliateGroup', 'affiliateGroup', AffiliateGroupType, {
  description: 'Renames a group of affiliates. Commission rules name it by its id.',
  ids,
  input: updateAffiliateGroupInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateAffiliateGroup(programScope(ctx), id, input)
    return findAffiliateGroup(programScope(ctx), id, query())
  },
})

const defineChange = (name: string, change: 'add' | 'remove', description: string) =>
  resourceMutation(name, 'affiliateGroup', AffiliateGroupType, {
    description,
    ids,
    input: groupMembersInput,
    resolve: async (ctx, { id, ...input }, query) => {
      await changeAffiliateGroup(programScope(ctx), id, input, change)
      return findAffiliateGroup(programScope(ctx), id, query())
    },
  })

defineChange(
  'addAffiliatesToGroup',
  'add',
  'Adds affiliates to a group, from now on. Affiliates that are in it stay in it.',
)
defineChange(
  'removeAffiliatesFromGroup',
  'remove',
  'Takes affiliates out of a group, from now on. Sales that occurred before still count as of the group.',
)

const DeletePayload = builder.objectRef<{ deletedId: string }>('DeleteAffiliateGroupPayload').implement({
  description: 'The result of `deleteAffiliateGroup`.',
  subGraphs: publicOnly,
  fields: (t) => ({ deletedId: t.exposeID('deletedId', { description: 'The id of the deleted group.' }) }),
})

mutation('deleteAffiliateGroup', DeletePayload, {
  description:
    'Deletes a group of affiliates. REFUSED while a commission rule names it: end the rule, or take the group out of its conditions. Sales that occurred before still count as of the group.',
  ids,
  resolve: async (ctx, { id }) => ({ deletedId: await deleteAffiliateGroup(programScope(ctx), id) }),
})
