import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { defineEnum } from '../../graphql/enums.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { defineNode } from '../../graphql/node.ts'
import { forbidden } from '../../kernel/errors.ts'
import { deleteSavedViewInput, type savedViewLists, saveViewInput } from './input.ts'
import { deleteSavedView, findSavedView, listSavedViews, type OwnCtx, saveView } from './saved-views.ts'

const SavedViewListEnum = defineEnum('SavedViewList', 'The lists whose filters and order can be saved.', {
  affiliates: 'Affiliates.',
  commissions: 'Commissions.',
  sales: 'Sales, also those without an affiliate.',
  payouts: 'Payouts.',
} satisfies Record<(typeof savedViewLists)[number], string>)

const SavedViewType = builder.prismaObject('SavedView', {
  description: 'Filters and order of a list of the dashboard under a name. Only the person who saved it sees it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.id({
      description: 'The id of the view.',
      resolve: ({ programId, personId, list, name }) => [programId, personId, list, name].join('/'),
    }),
    list: t.expose('list', { type: SavedViewListEnum, description: 'The list.' }),
    name: t.exposeString('name', { description: 'The name of the view.' }),
    query: t.exposeString('query', { description: 'What the address of the list says after `?`, without the page.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When a view was first saved under the name.' }),
  }),
})

/** @throws FORBIDDEN unless a person is signed in */
function ownScope(ctx: GraphQLContext): OwnCtx {
  if (ctx.actor.kind !== 'person') throw forbidden('Only people who are signed in to the dashboard have saved views.')
  return { ...programScope(ctx), now: ctx.trueNow, personId: ctx.actor.id }
}

defineNode(SavedViewType, {
  find: async (ctx, id) => (ctx.actor.kind === 'person' ? findSavedView(ownScope(ctx), id) : null),
})

builder.queryField('savedViews', (t) =>
  t.prismaField({
    type: ['SavedView'],
    description: 'The own saved views of a list in the program, oldest first. Only for people who are signed in.',
    args: { list: t.arg({ type: SavedViewListEnum, required: true, description: 'The list.' }) },
    resolve: (_query, _root, { list }, ctx) => listSavedViews(ownScope(ctx), list),
  }),
)

resourceMutation('saveView', 'savedView', SavedViewType, {
  forRole: 'analyst',
  description:
    'Saves filters and order of a list under a name, for oneself only, in place of an own view with the same name. Every role can do this.',
  input: saveViewInput,
  resolve: (ctx, input) => saveView(ownScope(ctx), input),
})

resourceMutation('deleteSavedView', 'savedViews', [SavedViewType], {
  forRole: 'analyst',
  description: 'Deletes one of the own saved views. The payload has those that are left. Every role can do this.',
  input: deleteSavedViewInput,
  resolve: (ctx, input) => deleteSavedView(ownScope(ctx), input),
})
