import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { recordOf } from '../../graphql/record.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { StatementType } from '../statements/graphql.ts'
import type { KeyCtx } from '../tax/tax-ids.ts'
import { cancelInvoice } from './cancel.ts'
import { createInvoices, missingInvoicesOf } from './create.ts'
import type { Missing } from './drafts.ts'
import { findInvoice } from './find.ts'
import { InvoiceType } from './graphql.ts'
import { MissingInvoiceReasonEnum } from './graphql-enums.ts'
import { cancelInvoiceInput, createInvoicesInput, missingInvoicesInput } from './input.ts'

const keyScope = (ctx: GraphQLContext): KeyCtx => ({ ...programScope(ctx), webhooks: ctx.webhooks })

const MissingInvoiceType = builder.objectRef<Missing>('MissingInvoice').implement({
  description: 'A statement of a closed month that earned something and has no invoice.',
  subGraphs: publicOnly,
  fields: (t) => ({
    reason: t.expose('reason', { type: MissingInvoiceReasonEnum, description: 'What is missing.' }),
    statementId: t.id({ description: 'The id of the statement.', resolve: ({ statement }) => statement.id }),
    affiliateId: t.id({ description: 'The id of the affiliate.', resolve: ({ statement }) => statement.affiliateId }),
    affiliate: t.prismaField({
      type: 'Affiliate',
      nullable: true,
      description: 'The affiliate.',
      resolve: (_query, { statement }, _args, ctx) => recordOf(ctx, 'affiliate', statement.affiliateId),
    }),
    currency: t.field({
      type: 'Currency',
      description: 'The currency of the statement: ISO 4217, lower case.',
      resolve: ({ statement }) => statement.currency,
    }),
    statement: t.prismaField({
      type: StatementType,
      description: 'The statement.',
      resolve: (query, { statement }, _args, ctx) => {
        const { db, program } = programScope(ctx)
        return db.statement.findUniqueOrThrow({
          ...query,
          where: { programId_id: { programId: program.id, id: statement.id } },
        })
      },
    }),
  }),
})

const mostShown = 100

const MissingInvoicesType = builder.objectRef<readonly Missing[]>('MissingInvoices').implement({
  description: 'The statements of a closed month that earned something and have no invoice.',
  subGraphs: publicOnly,
  fields: (t) => ({
    readyCount: t.int({
      description: 'How many invoices `createInvoices` would make.',
      resolve: (all) => all.filter(({ reason }) => reason === 'ready').length,
    }),
    waitingCount: t.int({
      description: 'How many wait for something.',
      resolve: (all) => all.filter(({ reason }) => reason !== 'ready').length,
    }),
    waiting: t.field({
      type: [MissingInvoiceType],
      description: 'The first hundred that wait for something.',
      resolve: (all) => all.filter(({ reason }) => reason !== 'ready').slice(0, mostShown),
    }),
  }),
})

builder.queryField('missingInvoices', (t) =>
  t.field({
    type: MissingInvoicesType,
    subGraphs: publicOnly,
    forRole: 'finance',
    description: 'The statements of a closed month that earned something and have no invoice, and why.',
    args: argsOf(missingInvoicesInput),
    resolve: async (_root, args, ctx) => {
      const { month } = await parseInput(missingInvoicesInput, args)
      return missingInvoicesOf(programScope(ctx), month)
    },
  }),
)

type Created = Awaited<ReturnType<typeof createInvoices>>

const CreateInvoicesPayload = builder.objectRef<Created>('CreateInvoicesPayload').implement({
  description: 'The result of `createInvoices`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    invoices: t.prismaField({
      type: [InvoiceType],
      description: 'The invoices and credit notes of the month, in the order of their numbers.',
      resolve: (query, { monthId, affiliateId }, _args, ctx) => {
        const { db, program } = programScope(ctx)
        return db.invoice.findMany({
          ...query,
          where: {
            programId: program.id,
            statement: { monthId },
            ...(affiliateId !== undefined && { affiliateId }),
          },
          orderBy: [{ year: 'asc' }, { place: 'asc' }],
        })
      },
    }),
    missing: t.field({
      type: MissingInvoicesType,
      description: 'What has no invoice, and why.',
      resolve: ({ missing }) => missing,
    }),
  }),
})

mutation('createInvoices', CreateInvoicesPayload, {
  description:
    'Makes the invoices of a closed month: one for each statement that earned something, if the affiliate has agreed to self-billing and has signed a tax profile. A negative sum becomes a credit note. Idempotent: calling it again makes what was missing.',
  forRole: 'finance',
  input: createInvoicesInput,
  resolve: (ctx, input) => createInvoices(keyScope(ctx), input),
})

resourceMutation('cancelInvoice', 'creditNote', InvoiceType, {
  description:
    'Cancels an invoice by a credit note, which has its amounts with the opposite sign and the reason. What was added to the ledger as value added tax is taken back; commissions stay. Idempotent.',
  forRole: 'finance',
  input: cancelInvoiceInput,
  resolve: async (ctx, input, query) => {
    const scope = keyScope(ctx)
    return findInvoice(scope, await cancelInvoice(scope, input), query())
  },
})
