import { demandWriteAccess } from '../../graphql/access.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { MailKindEnum, MailStateEnum } from './graphql-enums.ts'
import { mailListing } from './listing.ts'
import { retryMail } from './retry.ts'

/** Mails hold links that sign affiliates in and confirm applications. */
const secretText = (name: 'text' | 'html', description: string) =>
  builder.prismaObjectField('Mail', name, (t) =>
    t.string({
      select: { [name]: true },
      forRole: 'manager',
      subGraphs: publicOnly,
      description: `${description} It can hold a link that signs in: only for managers, and API keys with full access.`,
      resolve: (mail, _args, ctx) => {
        demandWriteAccess(ctx)
        return (mail as Record<string, unknown>)[name] as string
      },
    }),
  )

export const MailType = builder.prismaObject('Mail', {
  description:
    'A mail in the outbox. It waits there until a mail server accepts it; without `SMTP_URL`, or in a sandbox, it stays. Finished mails are kept for 90 days.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the mail.' }),
    kind: t.expose('kind', { type: MailKindEnum, description: 'What it is about.' }),
    to: t.exposeString('to', { description: 'The address that it is sent to.' }),
    subject: t.exposeString('subject', { description: 'The subject.' }),
    state: t.expose('state', { type: MailStateEnum, description: 'Whether it was sent.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the last attempt failed, or it is not sent. Null without a problem.',
    }),
    nextTryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried next, in true time. Null if it is finished.',
      resolve: ({ nextTryAt, finishedAt }) => (finishedAt ? null : nextTryAt),
    }),
    affiliateId: t.exposeID('affiliateId', {
      nullable: true,
      description: 'The id of the affiliate that it is for. Null for applicants and managers.',
    }),
    affiliate: t.relation('affiliate', {
      nullable: true,
      description: 'The affiliate that it is for. Null for applicants and managers.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When its cause happened.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was sent, or given up. Null while it is pending.',
    }),
  }),
})

secretText('text', 'The plain text.')
secretText('html', 'The HTML.')

rootConnection(
  'mails',
  connectionOf(mailListing, MailType),
  "The program's outbox: mails to applicants, affiliates and managers.",
)

builder.queryField('sendsMail', (t) =>
  t.boolean({
    description:
      'Whether mails of the program are sent. Without a mail server (`SMTP_URL`), and in a sandbox, they wait in the outbox. A shadow writes no mails.',
    resolve(_root, _args, ctx) {
      const { program } = programScope(ctx)
      return ctx.mailer !== undefined && !program.isSandbox && !program.isShadow
    },
  }),
)

resourceMutation('retryMail', 'mail', MailType, {
  description:
    'Sends a mail again that failed or was stopped in the last three days. If its address bounced, or its person complained, the program sends mails to it again.',
  ids: { id: 'The id of the mail.' },
  resolve: (ctx, { id }, query) => retryMail(programScope(ctx), id, query()),
})
