import type { TaxProfile } from '../../generated/prisma/client.ts'
import { TaxForm } from '../../generated/prisma/enums.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { affiliateScope, programScope } from '../../graphql/context.ts'
import { defineEnum } from '../../graphql/enums.ts'
import { mutation } from '../../graphql/mutation.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { RecipientTypeEnum } from '../affiliates/graphql-enums.ts'
import { shownLines } from './form-lines.ts'
import { forms } from './input/forms.ts'
import { readTaxIdInput, signTaxProfileInput } from './input/profile.ts'
import { readTaxId, type TaxIds } from './read-tax-id.ts'
import { signTaxProfile } from './sign.ts'
import { masked } from './tax-ids.ts'

const forAffiliate = true

const TaxFormEnum = defineEnum(
  'TaxForm',
  'A form of the IRS by which payees say who they are.',
  Object.fromEntries(Object.values(TaxForm).map((form) => [form, `${forms[form].title} (${forms[form].revision}).`])),
)

type Line = ReturnType<typeof shownLines>[number]

const TaxFormLineType = builder.objectRef<Line>('TaxFormLine').implement({
  description: 'A filled line of a form.',
  subGraphs: publicOnly,
  fields: (t) => ({
    line: t.exposeString('line', { forAffiliate, description: 'The number of the line on the paper.' }),
    label: t.exposeString('label', { forAffiliate, description: 'What the paper calls it.' }),
    value: t.exposeString('value', { forAffiliate, description: 'What was entered, in the words of the form.' }),
  }),
})

export const TaxProfileType = builder.objectRef<TaxProfile>('TaxProfile').implement({
  description: 'What an affiliate has signed about their taxes. Tax ids are masked: see `readTaxId`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    number: t.exposeInt('number', { forAffiliate, description: 'Counts what the affiliate has signed, from 1.' }),
    country: t.exposeString('country', {
      forAffiliate,
      description: 'The country of residence: two letters of ISO 3166.',
    }),
    recipientType: t.expose('recipientType', {
      forAffiliate,
      type: RecipientTypeEnum,
      description: 'Whether it is a person or a business.',
    }),
    legalName: t.exposeString('legalName', { forAffiliate, description: 'The full name.' }),
    street: t.exposeString('street', { forAffiliate, description: 'Street and number.' }),
    postalCode: t.exposeString('postalCode', { forAffiliate, nullable: true, description: 'The postal code.' }),
    city: t.exposeString('city', { forAffiliate, description: 'The town.' }),
    region: t.exposeString('region', { forAffiliate, nullable: true, description: 'The state or province.' }),
    vatId: t.exposeString('vatId', {
      forAffiliate,
      nullable: true,
      description: 'The VAT id with the letters of its country. Its form was checked; VIES was not asked.',
    }),
    isSmallBusiness: t.exposeBoolean('isSmallBusiness', {
      forAffiliate,
      description: 'Whether it is a small business that charges no VAT.',
    }),
    maskedTaxId: t.string({
      forAffiliate,
      nullable: true,
      description: 'The end of the tax number. Null without one.',
      resolve: ({ taxIdEnding }) => masked(taxIdEnding),
    }),
    maskedUsTaxId: t.string({
      forAffiliate,
      nullable: true,
      description: 'The end of the tax number that a foreign payee has in the United States. Null without one.',
      resolve: ({ usTaxIdEnding }) => masked(usTaxIdEnding),
    }),
    form: t.expose('form', {
      forAffiliate,
      type: TaxFormEnum,
      nullable: true,
      description: 'The form. Null if the payer needs none.',
    }),
    formRevision: t.exposeString('formRevision', {
      forAffiliate,
      nullable: true,
      description: 'The edition of the form that was signed. Null without a form.',
    }),
    formFields: t.field({
      forAffiliate,
      type: 'JSONObject',
      description: 'The fields of the form, by the names in docs/tax.md. Percentages are in hundredths of a percent.',
      resolve: ({ formFields }) => formFields as Record<string, unknown>,
    }),
    formLines: t.field({
      forAffiliate,
      type: [TaxFormLineType],
      description: 'The filled lines of the form, in its words.',
      resolve: shownLines,
    }),
    certification: t.string({
      forAffiliate,
      nullable: true,
      description: 'What was signed under penalties of perjury. Null without a form.',
      resolve: ({ form }) => form && forms[form].certification,
    }),
    signedName: t.exposeString('signedName', { forAffiliate, description: 'The name of the person who signed.' }),
    signedAt: t.expose('signedAt', { forAffiliate, type: 'DateTime', description: 'When it was signed.' }),
    expiresAt: t.expose('expiresAt', {
      forAffiliate,
      type: 'DateTime',
      nullable: true,
      description: 'Until when the form is valid, exclusive. Null: until something in it changes.',
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'taxProfile', (t) =>
  t.field({
    forAffiliate,
    forRole: 'finance',
    type: TaxProfileType,
    nullable: true,
    subGraphs: publicOnly,
    description: 'What the affiliate has signed last about their taxes. Null if nothing.',
    resolve: ({ programId, id }, _args, ctx) =>
      batched<TaxProfile | null>(ctx, 'tax profiles', id, async (ids) => {
        const where = { programId, affiliateId: { in: [...ids] }, replacedAt: null }
        const rows = await ctx.db.taxProfile.findMany({ where })
        const found = new Map(rows.map((row) => [row.affiliateId, row]))
        return ids.map((one) => found.get(one) ?? null)
      }),
  }),
)

const SignTaxProfilePayload = builder.objectRef<object>('SignTaxProfilePayload').implement({
  description: 'The result of `signTaxProfile`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliate: t.prismaField({
      forAffiliate,
      type: 'Affiliate',
      description: 'The affiliate after the operation.',
      resolve: (query, _payload, _args, ctx) => {
        const scope = affiliateScope(ctx)
        return findAffiliate(scope, scope.affiliateId, query)
      },
    }),
  }),
})

mutation('signTaxProfile', SignTaxProfilePayload, {
  description:
    'Signs the tax profile of an affiliate, in place of the one before. If the payer is in the United States, it is a W-9, a W-8BEN or a W-8BEN-E, and `form` has its fields. Only with an affiliate token.',
  forAffiliate,
  input: signTaxProfileInput,
  resolve: async (ctx, input) => {
    await signTaxProfile({ ...affiliateScope(ctx), webhooks: ctx.webhooks }, input)
    return {}
  },
})

const ReadTaxIdPayload = builder.objectRef<TaxIds>('ReadTaxIdPayload').implement({
  description: 'The result of `readTaxId`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    taxId: t.exposeString('taxId', { nullable: true, description: 'The tax number, in full. Null without one.' }),
    usTaxId: t.exposeString('usTaxId', {
      nullable: true,
      description: 'The tax number that a foreign payee has in the United States. Null without one.',
    }),
  }),
})

mutation('readTaxId', ReadTaxIdPayload, {
  description:
    'Reads the full tax ids of an affiliate. Each reading is in the history of the affiliate, with its reason.',
  forRole: 'finance',
  input: readTaxIdInput,
  resolve: (ctx, input) => readTaxId({ ...programScope(ctx), webhooks: ctx.webhooks }, input),
})
