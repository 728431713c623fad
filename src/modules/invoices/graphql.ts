import type { Invoice } from '../../generated/prisma/client.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { moneyBeside } from '../../graphql/money.ts'
import { isId } from '../../kernel/ids.ts'
import { statement as words } from '../../texts/en/statement.ts'
import type { InvoiceLine } from './earned.ts'
import { findInvoice } from './find.ts'
import { InvoiceKindEnum, VatTreatmentEnum } from './graphql-enums.ts'
import { invoiceListing } from './listing.ts'
import type { Party } from './parties.ts'

const forAffiliate = true

const InvoicePartyType = builder.objectRef<Party>('InvoiceParty').implement({
  description: 'One of the two parties of an invoice, as it is written there.',
  subGraphs: publicOnly,
  fields: (t) => ({
    name: t.exposeString('name', { forAffiliate, description: 'The full name.' }),
    street: t.exposeString('street', { forAffiliate, description: 'Street and number.' }),
    postalCode: t.exposeString('postalCode', { forAffiliate, nullable: true, description: 'The postal code.' }),
    city: t.exposeString('city', { forAffiliate, description: 'The town.' }),
    region: t.exposeString('region', { forAffiliate, nullable: true, description: 'The state or province.' }),
    country: t.exposeString('country', { forAffiliate, description: 'The country: two letters of ISO 3166.' }),
    vatId: t.exposeString('vatId', { forAffiliate, nullable: true, description: 'The VAT id.' }),
  }),
})

const InvoiceLineType = builder.objectRef<InvoiceLine & { currency: string }>('InvoiceLine').implement({
  description: 'What was earned in the month by lines of one kind. The statement has each of them.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.exposeString('kind', { forAffiliate, description: 'The kind of the lines, as statements name it.' }),
    text: t.string({
      forAffiliate,
      description: 'What it is, in English.',
      resolve: ({ kind }) => (words.kinds as Record<string, string>)[kind] ?? kind,
    }),
    count: t.exposeInt('count', { forAffiliate, description: 'How many lines of the statement.' }),
    amountCents: t.field({
      forAffiliate,
      type: 'SafeInt',
      description: 'Their sum, in minor units, as the ledger has it.',
      resolve: ({ amountCents }) => BigInt(amountCents),
    }),
    amount: t.field({
      forAffiliate,
      ...moneyBeside('amountCents'),
      resolve: ({ amountCents, currency }) => ({ amountCents: BigInt(amountCents), currency }),
    }),
  }),
})

export const InvoiceType = builder.prismaObject('Invoice', {
  description:
    'A self-billing invoice, which the program writes in the name of an affiliate for a closed month, or a credit note. It never changes.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate, description: 'The id of the invoice.' }),
    number: t.exposeString('number', {
      forAffiliate,
      description: 'Its number. The numbers of a program in a calendar year have no gaps.',
    }),
    kind: t.expose('kind', { forAffiliate, type: InvoiceKindEnum, description: 'Invoice or credit note.' }),
    year: t.exposeInt('year', { forAffiliate, description: 'The year of its series.' }),
    month: t.exposeString('month', {
      forAffiliate,
      description: 'The closed month in which it was earned, such as `2026-10`.',
    }),
    issuedOn: t.exposeString('issuedOn', {
      forAffiliate,
      description: "The day on which it was issued, in the program's time zone: `2026-11-29`.",
    }),
    currency: t.expose('currency', { forAffiliate, type: 'Currency', description: 'ISO 4217, lower case.' }),
    netCents: t.expose('netCents', {
      forAffiliate,
      type: 'SafeInt',
      description: 'Without value added tax, in minor units of `currency`. Negative in credit notes.',
    }),
    vatCents: t.expose('vatCents', {
      forAffiliate,
      type: 'SafeInt',
      description: 'The value added tax, in minor units of `currency`.',
    }),
    grossCents: t.expose('grossCents', {
      forAffiliate,
      type: 'SafeInt',
      description: 'With value added tax, in minor units of `currency`.',
    }),
    net: t.field({ forAffiliate, ...moneyBeside('netCents'), resolve: (one) => moneyIn(one, one.netCents) }),
    vat: t.field({ forAffiliate, ...moneyBeside('vatCents'), resolve: (one) => moneyIn(one, one.vatCents) }),
    gross: t.field({ forAffiliate, ...moneyBeside('grossCents'), resolve: (one) => moneyIn(one, one.grossCents) }),
    vatTreatment: t.expose('vatTreatment', {
      forAffiliate,
      type: VatTreatmentEnum,
      description: 'How the value added tax was found.',
    }),
    vatBasisPoints: t.exposeInt('vatBasisPoints', {
      forAffiliate,
      description: 'The rate in hundredths of a percent: 1900 is 19 %. 0 if none is charged.',
    }),
    supplier: t.field({
      forAffiliate,
      forRole: 'finance',
      type: InvoicePartyType,
      description: 'The affiliate, as the tax profile was when it was issued.',
      resolve: ({ supplier }) => supplier as Party,
    }),
    buyer: t.field({
      forAffiliate,
      type: InvoicePartyType,
      description: 'The company of the program.',
      resolve: ({ buyer }) => buyer as Party,
    }),
    lines: t.field({
      forAffiliate,
      type: [InvoiceLineType],
      description: 'What was earned, by kinds.',
      resolve: ({ lines, currency }) => (lines as InvoiceLine[]).map((line) => ({ ...line, currency })),
    }),
    notes: t.stringList({
      forAffiliate,
      description: 'The sentences that the law wants, such as "Self-billing" and "Reverse charge".',
      resolve: ({ notes }) => notes as string[],
    }),
    agreementVersion: t.exposeInt('agreementVersion', {
      forAffiliate,
      description: 'The version of the text of self-billing that the affiliate had agreed to.',
    }),
    correctsId: t.exposeID('correctsId', {
      forAffiliate,
      nullable: true,
      description: 'The id of the invoice that a credit note corrects. Null for an invoice.',
    }),
    isCancellation: t.exposeBoolean('isCancellation', {
      forAffiliate,
      description: 'Whether it is a credit note that cancels an invoice as a whole.',
    }),
    reason: t.exposeString('reason', {
      forAffiliate,
      nullable: true,
      description: 'Why a person cancelled the invoice. Null otherwise.',
    }),
    affiliateId: t.exposeID('affiliateId', { forAffiliate, description: 'The id of the affiliate.' }),
    affiliate: t.relation('affiliate', { forAffiliate, description: 'The affiliate.' }),
    statementId: t.exposeID('statementId', { forAffiliate, description: 'The id of the statement of the month.' }),
    statement: t.relation('statement', { forAffiliate, description: 'The statement of the month.' }),
    vatCommissionId: t.exposeID('vatCommissionId', {
      forAffiliate,
      nullable: true,
      description:
        'The id of the correction by which value added tax is paid, or taken back. Null if none is added to commissions.',
    }),
    vatCommission: t.relation('vatCommission', {
      forAffiliate,
      nullable: true,
      description: 'The correction by which value added tax is paid, or taken back.',
    }),
    createdAt: t.expose('createdAt', { forAffiliate, type: 'DateTime', description: 'When it was issued.' }),
  }),
})

/** The invoice that a credit note corrects. */
export const correctedOf = async (
  ctx: GraphQLContext,
  { programId, correctsId }: Pick<Invoice, 'programId' | 'correctsId'>,
): Promise<Invoice | null> =>
  correctsId === null
    ? null
    : batched<Invoice | null>(ctx, 'corrected invoices', correctsId, async (ids) => {
        const found = await ctx.db.invoice.findMany({ where: { programId, id: { in: [...ids] } } })
        return ids.map((id) => found.find((one) => one.id === id) ?? null)
      })

builder.prismaObjectField(InvoiceType, 'corrects', (t) =>
  t.field({
    forAffiliate,
    type: InvoiceType,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The invoice that a credit note corrects. Null for an invoice.',
    resolve: (invoice, _args, ctx) => correctedOf(ctx, invoice),
  }),
)

builder.prismaObjectField(InvoiceType, 'isCancelled', (t) =>
  t.boolean({
    forAffiliate,
    subGraphs: publicOnly,
    description: 'Whether it is an invoice that was cancelled.',
    resolve: ({ programId, id }, _args, ctx) =>
      batched<boolean>(ctx, 'cancelled invoices', id, async (ids) => {
        const where = { programId, correctsId: { in: [...ids] }, isCancellation: true }
        const found = await ctx.db.invoice.findMany({ where, select: { correctsId: true } })
        return ids.map((one) => found.some(({ correctsId }) => correctsId === one))
      }),
  }),
)

const moneyIn = ({ currency }: { currency: string }, amountCents: bigint) => ({ amountCents, currency })

export const invoiceConnection = connectionOf(invoiceListing, InvoiceType)

rootConnection('invoices', invoiceConnection, "The program's invoices and credit notes, newest first.")

builder.queryField('invoice', (t) =>
  t.prismaField({
    type: 'Invoice',
    description: 'Finds an invoice or a credit note by its id.',
    isLookUp: true,
    subGraphs: publicOnly,
    args: { id: t.arg.id({ required: true, description: 'The id of the invoice.' }) },
    resolve: (query, _root, { id }, ctx) => findInvoice(programScope(ctx), id, query),
  }),
)

builder.prismaObjectField('Affiliate', 'invoice', (t) =>
  t.field({
    type: InvoiceType,
    nullable: true,
    forAffiliate: { args: ['id'] },
    subGraphs: publicOnly,
    description: 'An invoice or a credit note of the affiliate. Null without one of this id.',
    args: { id: t.arg.id({ required: true, description: 'The id of the invoice.' }) },
    resolve: ({ programId, id: affiliateId }, { id }, ctx) =>
      isId(id)
        ? batched<Invoice | null>(ctx, `invoice ${id}`, affiliateId, async (affiliateIds) => {
            const found = await ctx.db.invoice.findFirst({ where: { programId, id } })
            return affiliateIds.map((one) => (found?.affiliateId === one ? found : null))
          })
        : null,
  }),
)
