import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { findMail } from './find.ts'
import { MailType } from './graphql.ts'
import { MailPreviewType } from './graphql-texts.ts'
import { previewMailToAffiliatesInput, sendMailToAffiliatesInput } from './input.ts'
import { previewMailToAffiliates, sendMailToAffiliates, sendTestOfMail } from './message.ts'

const messageScope = (ctx: GraphQLContext) => ({
  ...programScope(ctx),
  publicUrl: ctx.affiliateUrl,
  mailKey: ctx.webhooks.key,
})

const SendMailPayload = builder.objectRef<{ recipients: number }>('SendMailToAffiliatesPayload').implement({
  description: 'The result of `sendMailToAffiliates`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    recipients: t.exposeInt('recipients', {
      description: 'How many affiliates get the mail. Those who are not active, or want no messages, do not count.',
    }),
  }),
})

mutation('sendMailToAffiliates', SendMailPayload, {
  description:
    'Writes a mail to the active affiliates of a filter, each with their own values. It is in the history of each, who can stop such mails by one click. At most 20 times an hour. With `dryRun`, it only says how many get it.',
  input: sendMailToAffiliatesInput,
  resolve: async (ctx, input) => ({ recipients: await sendMailToAffiliates(messageScope(ctx), input) }),
})

builder.queryField('previewMailToAffiliates', (t) =>
  t.field({
    type: MailPreviewType,
    description: 'Shows a mail to affiliates with the values of the newest one that gets it.',
    args: argsOf(previewMailToAffiliatesInput),
    resolve: (_root, args, ctx) => previewMailToAffiliates(messageScope(ctx), args),
  }),
)

resourceMutation('sendTestOfMail', 'mail', MailType, {
  description: 'Sends a mail to affiliates to the signed-in person only, of the kind `TEST`.',
  input: previewMailToAffiliatesInput,
  resolve: async (ctx, input, query) => {
    const scope = messageScope(ctx)
    return findMail(scope, await sendTestOfMail(scope, input), query())
  },
})
