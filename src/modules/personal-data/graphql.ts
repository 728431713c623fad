import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { defineEnum, type Words } from '../../graphql/enums.ts'
import { mutation } from '../../graphql/mutation.ts'
import { type ErasedPerson, erasePerson } from './erase.ts'
import { exportPerson, type PersonExport } from './export.ts'
import { erasePersonInput, type openMoneyWords } from './input.ts'

const ErasePersonPayload = builder.objectRef<ErasedPerson>('ErasePersonPayload').implement({
  description: 'The result of `erasePerson`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    erasedCustomerId: t.id({
      nullable: true,
      description: 'The id of the customer who was erased. Null if the person was not a customer.',
      resolve: ({ customerId }) => customerId,
    }),
    erasedAffiliateId: t.id({
      nullable: true,
      description: 'The id of the affiliate who was erased. Null if the person was not an affiliate.',
      resolve: ({ affiliateId }) => affiliateId,
    }),
    unattributedSales: t.exposeInt('unattributedSales', {
      description: 'The number of unattributed sales from which the e-mail and the name were taken.',
    }),
  }),
})

defineEnum('OpenMoney', 'What happens to the open money of an affiliate who is erased.', {
  pay: 'The open payouts are marked as paid now: pay them by hand. Refused if not all of the money is due.',
  keep: 'The name, the payment details and the tax profile are kept until it is paid. Erase the person again after that, by the address `erased-<affiliate id>@erased.invalid`.',
  give_up: 'The commissions are voided, with the reason.',
} satisfies Words<typeof openMoneyWords>)

mutation('erasePerson', ErasePersonPayload, {
  description:
    'Replaces the personal data of a customer or an affiliate for ever: e-mail addresses, names, ids of the billing system, tokens of links and coupons, in the records, the history, the events and the answers that are kept for `Idempotency-Key`. Amounts and counts stay. An affiliate is disabled. If the affiliate has open money, `openMoney` must say what happens to it. This cannot be undone.',
  input: erasePersonInput,
  resolve: (ctx, input) => erasePerson({ ...programScope(ctx), webhooks: ctx.webhooks }, input),
})

export const PersonExportType = builder.objectRef<PersonExport>('PersonExport').implement({
  description: 'What the program stores about a person.',
  subGraphs: publicOnly,
  fields: (t) => ({
    email: t.expose('email', { type: 'EmailAddress', description: 'The e-mail that was asked for.' }),
    customerId: t.exposeID('customerId', {
      nullable: true,
      description: 'The id of the customer. Null if the person is not a customer.',
    }),
    affiliateId: t.exposeID('affiliateId', {
      nullable: true,
      description: 'The id of the affiliate. Null if the person is not an affiliate.',
    }),
    json: t.exposeString('json', {
      description:
        'All records about the person as a JSON object, with a list for each kind: at most the newest 10,000 records.',
    }),
  }),
})

builder.queryField('exportPerson', (t) =>
  t.field({
    type: PersonExportType,
    description: 'All that the program stores about a customer or an affiliate, to be given to that person.',
    args: {
      email: t.arg({
        type: 'EmailAddress',
        required: true,
        description: 'The e-mail of the customer or the affiliate.',
      }),
    },
    resolve: (_root, input, ctx) => exportPerson(programScope(ctx), input),
  }),
)
