import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { costing } from '../../graphql/cost.ts'
import { defineEnum } from '../../graphql/enums.ts'
import { moneyBeside, moneyOf } from '../../graphql/money.ts'
import { type AttentionItem, type AttentionKind, readAttention } from './attention.ts'

const AttentionKindEnum = defineEnum('AttentionKind', 'What can wait for a person.', {
  payouts: 'Payouts that can be paid now, in one currency.',
  applications: 'Applications without a decision.',
  proposals: 'Proposals to be confirmed or rejected.',
  held: 'Commissions that are held until a person decides.',
  unattributed: 'Sales without an affiliate, of which a report or a signal says that one brought them.',
  back: 'Payments that failed or came back in the last 30 days.',
  unclaimed: 'Payments that were not claimed at the payment service.',
  prepared: 'Payout runs to be approved or paid.',
  sent: 'Payout runs without results.',
  schedule: 'Payout runs that failed on the latest day of the schedule.',
  months: 'Differences that keep a month from being closed, until a person accepts them.',
  feed_events: 'Events of billing systems that could not be used.',
  feeds: 'Feeds with a problem.',
  webhooks: 'Webhook endpoints that fail for more than ten minutes, or that the service has disabled.',
} satisfies Record<AttentionKind, string>)

const AttentionItemType = builder.objectRef<AttentionItem>('AttentionItem').implement({
  description: 'Something that waits for a person, with the page of the dashboard where it is decided.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: AttentionKindEnum, description: 'What waits.' }),
    count: t.exposeInt('count', { description: 'How many wait.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'Their sum, in minor units of `currency`. Null for all but payouts, and above 2^53 - 1.',
    }),
    amount: t.field({
      ...moneyBeside('amountCents'),
      nullable: true,
      resolve: ({ amountCents, currency }) => moneyOf(amountCents, currency ?? ''),
    }),
    currency: t.expose('currency', {
      type: 'Currency',
      nullable: true,
      description: 'ISO 4217, lower case. Null for all but payouts.',
    }),
    text: t.exposeString('text', {
      description: 'What waits in English, to be read after the number: `applications wait for a decision`.',
    }),
    page: t.exposeString('page', {
      description: 'Where the dashboard lists them, below the page of the program: `commissions?held=yes`.',
    }),
  }),
})

builder.queryField('attention', (t) =>
  t.field({
    type: [AttentionItemType],
    complexity: costing(200),
    description: 'What waits for a person. Empty if nothing does. The daily mail to managers counts by the same rules.',
    resolve: (_root, _args, ctx) => readAttention(programScope(ctx)),
  }),
)
