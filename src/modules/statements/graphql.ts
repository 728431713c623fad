import type { Statement } from '../../generated/prisma/client.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, everywhere, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { isId } from '../../kernel/ids.ts'
import { closeMonth } from './close.ts'
import { findStatement, pdfOfStatement, sealedFile, withPaper, withSeal } from './find.ts'
import { closeMonthInput, listStatementsInput } from './input.ts'
import type { KeyCtx } from './keys.ts'
import type { Line } from './lines.ts'
import { listStatements, statementListing } from './listing.ts'

const keyScope = (ctx: GraphQLContext): KeyCtx => ({ ...programScope(ctx), webhooks: ctx.webhooks })

const forAffiliate = true

const StatementLineType = builder.objectRef<Line>('StatementLine').implement({
  description: 'Something that was booked for an affiliate in a month.',
  fields: (t) => ({
    number: t.int({ forAffiliate, description: 'Its place.', resolve: ({ number }) => number as number }),
    kind: t.string({
      forAffiliate,
      description:
        'What it is: `commission`, `lead`, `bonus`, `correction`, `refund`, `refund_reversed`, `amended`, `recalculated`, `cancelled`, `restored`, `moved_away`, `moved_here`, `nothing` for a sale that earned nothing, `payment`, `payment_returned`, or `withheld` as tax.',
      resolve: ({ kind }) => kind,
    }),
    text: t.string({ forAffiliate, description: 'What happened, in English.', resolve: ({ text }) => text }),
    amountCents: t.field({
      forAffiliate,
      type: 'SafeInt',
      restName: 'amount',
      description: 'By how much it changes what is owed, in minor units of the currency of the statement.',
      resolve: ({ amountCents }) => BigInt(amountCents),
    }),
    month: t.string({
      forAffiliate,
      description: 'The month that it is about: of the sale, not of the statement.',
      resolve: ({ month }) => month as string,
    }),
    bookedAt: t.field({
      forAffiliate,
      type: 'DateTime',
      description: 'When it was booked.',
      resolve: ({ bookedAt }) => new Date(bookedAt as string),
    }),
  }),
})

export const StatementType = builder.prismaObject('Statement', {
  description:
    'What was booked for an affiliate in a month, in one currency. It opens where the one before closed, and never changes.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate, description: 'The id of the statement.' }),
    object: objectName(t, 'statement'),
    number: t.exposeInt('number', {
      forAffiliate,
      description: 'Counts the statements of the affiliate in the currency, from 1.',
    }),
    month: t.exposeString('month', { forAffiliate, description: 'The month, such as `2026-10`.' }),
    currency: t.expose('currency', { forAffiliate, type: 'Currency', description: 'ISO 4217, lower case.' }),
    openingCents: t.expose('openingCents', {
      forAffiliate,
      type: 'SafeInt',
      restName: 'opening',
      description: 'What was owed at the beginning, in minor units of `currency`.',
    }),
    closingCents: t.expose('closingCents', {
      forAffiliate,
      type: 'SafeInt',
      restName: 'closing',
      description: 'What was owed at the end: `openingCents` and the amounts of the lines.',
    }),
    hash: t.exposeString('hash', {
      forAffiliate,
      description: 'The SHA-256 of what is signed of the statement, in hexadecimal digits.',
    }),
    previousHash: t.exposeString('previousHash', {
      forAffiliate,
      nullable: true,
      description: 'The hash of the statement before, of the affiliate in the currency. Null: it is the first.',
    }),
    affiliateId: t.exposeID('affiliateId', { forAffiliate, description: 'The id of the affiliate.' }),
    affiliate: t.relation('affiliate', { forAffiliate, subGraphs: publicOnly, description: 'The affiliate.' }),
    lines: t.field({
      forAffiliate,
      type: [StatementLineType],
      select: { lines: true },
      description: 'What was booked, in order.',
      resolve: ({ lines }) => JSON.parse(lines) as Line[],
    }),
    json: t.string({
      forAffiliate,
      subGraphs: publicOnly,
      select: { header: true, lines: true, disclosed: true, index: true, path: true, hash: true, ...withSeal },
      description:
        'The statement as a JSON file that anybody can verify, with its proofs: see docs/statement-format.md and `tributary verify`.',
      resolve: (statement) => JSON.stringify(sealedFile(statement)),
    }),
    pdf: t.string({
      forAffiliate,
      subGraphs: publicOnly,
      select: { lines: true, disclosed: true, createdAt: true, ...withPaper },
      description: 'The statement on paper: a PDF file in base64.',
      resolve: async (statement, _args, ctx) => (await pdfOfStatement(statement, ctx.publicUrl)).toString('base64'),
    }),
    createdAt: t.expose('createdAt', { forAffiliate, type: 'DateTime', description: 'When it was written.' }),
  }),
})

export const statementConnection = connectionOf(statementListing, StatementType)

rootConnection('statements', statementConnection, "The program's statements, newest first.")

restList('statements', StatementType, listStatementsInput, listStatements, "The program's statements, newest first.")

builder.prismaObjectField('Affiliate', 'statement', (t) =>
  t.field({
    type: StatementType,
    nullable: true,
    forAffiliate: { args: ['id'] },
    subGraphs: publicOnly,
    description: 'A statement of the affiliate. Null without one of this id.',
    args: { id: t.arg.id({ required: true, description: 'The id of the statement.' }) },
    resolve: ({ programId, id: affiliateId }, { id }, ctx) =>
      isId(id)
        ? batched<Statement | null>(ctx, `statement ${id}`, affiliateId, async (affiliateIds) => {
            const found = await ctx.db.statement.findFirst({ where: { programId, id } })
            return affiliateIds.map((one) => (found?.affiliateId === one ? found : null))
          })
        : null,
  }),
)

builder.queryField('statement', (t) =>
  t.prismaField({
    type: 'Statement',
    description: 'Finds a statement by its id.',
    isLookUp: true,
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true, description: 'The id of the statement.' }) },
    resolve: (query, _root, { id }, ctx) => findStatement(programScope(ctx), id, query),
  }),
)

resourceMutation('closeMonth', 'statements', [StatementType], {
  description:
    'Closes a month once it is over: writes the statements of all affiliates, and signs them. What is recorded from then on is booked in a later month. Months are closed in order. Idempotent: closing a month again returns the same statements.',
  forRole: 'finance',
  input: closeMonthInput,
  resolve: async (ctx, input, query) => {
    const scope = keyScope(ctx)
    const monthId = await closeMonth(scope, input)
    const where = { programId: scope.program.id, monthId }
    return ctx.db.statement.findMany({ ...query(), where, orderBy: { index: 'asc' } })
  },
})
