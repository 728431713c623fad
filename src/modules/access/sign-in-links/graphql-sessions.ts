import { batched } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import { affiliateScope, type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { costing } from '../../../graphql/cost.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { endMySessionsInput } from './input.ts'
import { endSessions, type Session, sessionsOf } from './sessions.ts'

const forAffiliate = true

const currentOf = ({ actor }: GraphQLContext) => (actor.kind === 'affiliate' ? actor.sessionId : undefined)

const SessionType = builder.objectRef<Session>('AffiliateSession').implement({
  description: 'A session of the portal, which a sign-in link began. It lasts a day.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate, description: 'The id of the session.' }),
    startedAt: t.expose('startedAt', { forAffiliate, type: 'DateTime', description: 'When it began, in true time.' }),
    endsAt: t.expose('endsAt', { forAffiliate, type: 'DateTime', description: 'When it ends, in true time.' }),
    address: t.exposeString('address', {
      forAffiliate,
      nullable: true,
      description: 'The network address that it was begun from. Null if unknown.',
    }),
    userAgent: t.exposeString('userAgent', {
      forAffiliate,
      nullable: true,
      description: 'What the browser calls itself. Null if unknown.',
    }),
    isCurrent: t.boolean({
      forAffiliate,
      description: 'Whether it is the session of this request.',
      resolve: ({ id }, _args, ctx) => id === currentOf(ctx),
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'sessions', (t) =>
  t.field({
    forAffiliate,
    type: [SessionType],
    complexity: costing(10),
    subGraphs: publicOnly,
    description: 'The open sessions of the portal, the newest first. Tokens of `createAffiliateToken` have none.',
    resolve: ({ id }, _args, ctx) =>
      batched(ctx, 'sessions', id, (ids) => sessionsOf({ ...programScope(ctx), now: ctx.trueNow }, ids)),
  }),
)

const ownScope = (ctx: GraphQLContext) => ({ ...affiliateScope(ctx), now: ctx.trueNow, sessionId: currentOf(ctx) })

const EndedPayload = builder.objectRef<{ count: number }>('EndMySessionsPayload').implement({
  description: 'The result of `endMySessions`.',
  subGraphs: publicOnly,
  fields: (t) => ({ count: t.exposeInt('count', { forAffiliate, description: 'The number of ended sessions.' }) }),
})

mutation('endMySessions', EndedPayload, {
  description:
    'Ends a session of the portal, or all others: their tokens are rejected from then on. Only with an affiliate token.',
  forAffiliate,
  input: endMySessionsInput,
  resolve: async (ctx, input) => ({ count: await endSessions(ownScope(ctx), input) }),
})
