import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { mutation } from '../../graphql/mutation.ts'
import type { KeyCtx } from '../tax/tax-ids.ts'
import { correctedOf, InvoiceType } from './graphql.ts'
import { readInvoicePdfInput } from './input.ts'
import { findCorrected, findPrinted, paperName, pdfOfInvoice, readInvoicePdf, withPaper } from './paper.ts'

const keyScope = (ctx: GraphQLContext): KeyCtx => ({ ...programScope(ctx), webhooks: ctx.webhooks })

builder.prismaObjectField(InvoiceType, 'pdf', (t) =>
  t.string({
    forAffiliate: true,
    forRole: 'finance',
    subGraphs: publicOnly,
    description:
      'The invoice on paper: a PDF file in base64, in the language of the affiliate. A supplier without a VAT id has a tax id there, of which others than the affiliate see the end: see `readInvoicePdf`.',
    select: { supplierTaxId: true, ...withPaper },
    resolve: async (invoice, _args, ctx) => {
      const corrects = await correctedOf(ctx, invoice)
      // A person who sees what the affiliate sees reads it with a reason, as others do.
      const showsTaxId = ctx.actor.kind === 'affiliate' && ctx.actor.viewer === undefined
      return (await pdfOfInvoice(ctx.webhooks.key, invoice, { corrects, showsTaxId })).toString('base64')
    },
  }),
)

builder.prismaObjectField(InvoiceType, 'hasSupplierTaxId', (t) =>
  t.boolean({
    forAffiliate: true,
    subGraphs: publicOnly,
    description: 'Whether the affiliate is named with a tax id, because there is no VAT id.',
    select: { supplierTaxId: true },
    resolve: ({ supplierTaxId }) => supplierTaxId !== null,
  }),
)

const InvoicePdfType = builder.objectRef<{ name: string; content: string }>('InvoicePdf').implement({
  description: 'An invoice on paper.',
  subGraphs: ['rest'],
  fields: (t) => ({
    fileName: t.exposeString('name', { description: 'What the file is called.' }),
    base64: t.exposeString('content', { description: 'The PDF file, in base64.' }),
  }),
})

builder.queryField('invoicePdf', (t) =>
  t.field({
    type: InvoicePdfType,
    forRole: 'finance',
    description: 'The invoice or credit note on paper, as a PDF file, with the end of the tax id of the affiliate.',
    isLookUp: true,
    subGraphs: ['rest'],
    args: { id: t.arg.id({ required: true, description: 'The id of the invoice.' }) },
    resolve: async (_root, { id }, ctx) => {
      const scope = keyScope(ctx)
      const invoice = await findPrinted(scope, id)
      const of = { corrects: await findCorrected(scope, invoice), showsTaxId: false }
      const file = await pdfOfInvoice(ctx.webhooks.key, invoice, of)
      return { name: paperName(invoice), content: file.toString('base64') }
    },
  }),
)

const ReadInvoicePdfPayload = builder.objectRef<{ pdf: string }>('ReadInvoicePdfPayload').implement({
  description: 'The result of `readInvoicePdf`.',
  subGraphs: publicOnly,
  fields: (t) => ({ pdf: t.exposeString('pdf', { description: 'A PDF file in base64.' }) }),
})

mutation('readInvoicePdf', ReadInvoicePdfPayload, {
  description:
    'The invoice on paper with the full tax id of the affiliate. That it was read is in the history of the affiliate, with the reason.',
  forRole: 'finance',
  input: readInvoicePdfInput,
  resolve: async (ctx, input) => ({ pdf: (await readInvoicePdf(keyScope(ctx), input)).toString('base64') }),
})
