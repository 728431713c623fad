import { hasRole } from '../../graphql/access.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { resourceMutation, roleOfMutation } from '../../graphql/mutation.ts'
import { mutationsIn } from '../../graphql/mutation-names.ts'
import { defineNode } from '../../graphql/node.ts'
import type { PersonActor } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { deleteSavedQueryInput, saveQueryInput } from './input.ts'
import {
  type AuthoredQuery,
  deleteSavedQuery,
  findSavedQuery,
  idOfQuery,
  listSavedQueries,
  mayChange,
  type PersonCtx,
  saveQuery,
} from './saved-queries.ts'

const SavedQueryType = builder.objectRef<AuthoredQuery>('SavedQuery').implement({
  description: 'A query of GraphiQL under a name. Everybody who can open the program in the dashboard sees it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.id({ description: 'The id of the query.', resolve: idOfQuery }),
    name: t.exposeString('name', { description: 'The name of the query.' }),
    query: t.exposeString('query', { description: 'The text of the query.' }),
    variables: t.exposeString('variables', {
      description: 'Its variables, as the text of a JSON object. Empty if it has none.',
    }),
    author: t.string({
      description: 'The name of the person who saved it first.',
      resolve: ({ person }) => person.name,
    }),
    mayChange: t.boolean({
      description: 'Whether the person who asks may replace and delete it: authors their own, managers all.',
      resolve: (query, _args, ctx) => mayChange(personScope(ctx).actor, query),
    }),
    mutations: t.stringList({
      description: 'The mutations that it runs. Empty if it only reads.',
      resolve: ({ query }) => mutationsIn(query),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When a query was first saved under the name.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last saved.' }),
  }),
})

/** Somebody with more rights could run it from the list. @throws FORBIDDEN for a mutation that the person cannot run */
function requireOwnMutations(actor: PersonActor, text: unknown): void {
  const beyond = mutationsIn(String(text)).filter((name) => !hasRole(roleOfMutation(name), actor))
  if (beyond.length > 0)
    throw forbidden(`Your role cannot run ${beyond.join(', ')}, so you cannot save it for others. Save a query.`)
}

/** @throws FORBIDDEN unless a person is signed in */
function personScope(ctx: GraphQLContext): PersonCtx {
  const { actor } = ctx
  if (actor.kind !== 'person') throw forbidden('Only people who are signed in to the dashboard have saved queries.')
  return { ...programScope(ctx), now: ctx.trueNow, actor }
}

defineNode(SavedQueryType, {
  find: async (ctx, id) => (ctx.actor.kind === 'person' ? findSavedQuery(personScope(ctx), id) : null),
})

builder.queryField('savedQueries', (t) =>
  t.field({
    type: [SavedQueryType],
    description: 'The saved queries of the program, by name, at most 200. Only for people who are signed in.',
    resolve: (_root, _args, ctx) => listSavedQueries(personScope(ctx)),
  }),
)

resourceMutation('saveQuery', 'savedQuery', SavedQueryType, {
  forRole: 'analyst',
  description:
    'Saves a query under a name for everybody in the program, in place of an own one with the same name. Every role can do this; managers also replace those of others. A mutation is refused if the person could not run it. A program can have 200, and a person 100 of them.',
  input: saveQueryInput,
  resolve: async (ctx, input) => {
    const scope = personScope(ctx)
    requireOwnMutations(scope.actor, input.query)
    return saveQuery(scope, input)
  },
})

resourceMutation('deleteSavedQuery', 'savedQueries', [SavedQueryType], {
  forRole: 'analyst',
  description:
    'Deletes a saved query. Every role can delete its own, managers all. The payload has those that are left.',
  input: deleteSavedQueryInput,
  resolve: (ctx, input) => deleteSavedQuery(personScope(ctx), input),
})
