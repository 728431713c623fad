import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { forbidden } from '../../kernel/errors.ts'
import { updateMyMailsInput } from './input.ts'
import { type OwnMails, readOwnMails, updateOwnMails } from './own-mails.ts'
import type { OwnCtx } from './saved-views.ts'

const OwnMailsType = builder.objectRef<OwnMails>('OwnMails').implement({
  description: 'Which mails of the program a manager gets.',
  subGraphs: publicOnly,
  fields: (t) => ({
    getsDailyMails: t.exposeBoolean('getsDailyMails', {
      description: 'Whether a daily mail says what waits: applications, held commissions, payouts, what fails.',
    }),
    getsFailureMails: t.exposeBoolean('getsFailureMails', {
      description: 'Whether mails tell at once of failing webhooks and feeds.',
    }),
  }),
})

/** @throws FORBIDDEN unless a person is signed in */
function ownScope(ctx: GraphQLContext): OwnCtx {
  if (ctx.actor.kind !== 'person') throw forbidden('Only people who are signed in to the dashboard get these mails.')
  return { ...programScope(ctx), now: ctx.trueNow, personId: ctx.actor.id }
}

builder.queryField('myMails', (t) =>
  t.field({
    type: OwnMailsType,
    nullable: true,
    description:
      'Which mails of the program the person who is signed in gets. Null for analysts, and for operators who are not members: they get none.',
    resolve: (_root, _args, ctx) => readOwnMails(ownScope(ctx)),
  }),
)

resourceMutation('updateMyMails', 'myMails', OwnMailsType, {
  description:
    'Chooses which mails of the program the person who is signed in gets. Each mail can also be stopped by a link in it.',
  input: updateMyMailsInput,
  resolve: (ctx, input) => updateOwnMails(ownScope(ctx), input),
})
