import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { defineEnum, type Words } from '../../graphql/enums.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { moneyBeside } from '../../graphql/money.ts'
import { mutation } from '../../graphql/mutation.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { exportTaxTotalsInput, taxTotalsInput } from './input/totals.ts'
import type { taxReportings } from './reporting.ts'
import { lastKnownYear, thresholdOf } from './thresholds.ts'
import { readTaxTotals, type TaxTotal } from './totals.ts'
import { type TotalsFile, taxTotalsFile, taxTotalsWithIds } from './totals-file.ts'

const TaxReportingEnum = defineEnum('TaxReporting', 'What a payer in the United States reports of a year.', {
  form_1099_nec: 'What the program paid reaches the threshold, or it withheld tax: Form 1099-NEC.',
  below_threshold: 'What the program paid is below the threshold of the year.',
  corporation: 'The W-9 is of a corporation, to which payments are not reported.',
  foreign: 'The affiliate has signed a W-8. Income from work in the United States would be on Form 1042-S.',
  no_form: 'The affiliate has signed no form.',
} satisfies Words<typeof taxReportings>)

const TaxTotalType = builder.objectRef<TaxTotal>('TaxTotal').implement({
  description:
    'What an affiliate was paid in a year, in one currency, and what was withheld of it. Payments that came back do not count.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliateId: t.exposeID('affiliateId', { description: 'The id of the affiliate.' }),
    affiliate: t.prismaField({
      type: 'Affiliate',
      description: 'The affiliate.',
      resolve: (query, { affiliateId }, _args, ctx) => {
        const { db, program } = programScope(ctx)
        return db.affiliate.findUniqueOrThrow({
          ...query,
          where: { programId_id: { programId: program.id, id: affiliateId } },
        })
      },
    }),
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    paidCents: t.expose('paidCents', {
      type: 'SafeInt',
      description: 'What the program paid by itself, in minor units of `currency`.',
    }),
    reportedByServiceCents: t.expose('reportedByServiceCents', {
      type: 'SafeInt',
      description: 'What payment services paid that report it themselves, in minor units of `currency`.',
    }),
    paid: t.field({
      ...moneyBeside('paidCents'),
      resolve: ({ paidCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
    reportedByService: t.field({
      ...moneyBeside('reportedByServiceCents'),
      resolve: ({ reportedByServiceCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
    withheldCents: t.expose('withheldCents', {
      type: 'SafeInt',
      description:
        'What the program withheld as tax, beside what it paid by itself, in minor units of `currency`. Reporting counts both.',
    }),
    withheldBesideServiceCents: t.expose('withheldBesideServiceCents', {
      type: 'SafeInt',
      description:
        'What the program withheld as tax, beside what payment services paid that report it themselves, in minor units of `currency`.',
    }),
    withheld: t.field({
      ...moneyBeside('withheldCents'),
      resolve: ({ withheldCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
    withheldBesideService: t.field({
      ...moneyBeside('withheldBesideServiceCents'),
      resolve: ({ withheldBesideServiceCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
    payments: t.exposeInt('payments', { description: 'How many payments they are.' }),
    reporting: t.expose('reporting', {
      type: TaxReportingEnum,
      nullable: true,
      description: 'What is reported. Null if the payer is not in the United States, or the currency is not USD.',
    }),
  }),
})

const mostShown = 100

type Year = { year: number; totals: TaxTotal[]; file: () => Promise<TotalsFile> }

const TaxYearType = builder.objectRef<Year>('TaxYear').implement({
  description: 'What affiliates were paid in a year.',
  subGraphs: publicOnly,
  fields: (t) => ({
    year: t.exposeInt('year', { description: "The year, by the calendar of the program's time zone." }),
    thresholdCents: t.field({
      type: 'SafeInt',
      description:
        'From which sum Form 1099-NEC is due, in cents of USD: 600 USD until 2025, 2,000 USD from 2026 (Public Law 119-21).',
      resolve: ({ year }) => thresholdOf(year),
    }),
    threshold: t.field({
      ...moneyBeside('thresholdCents'),
      resolve: ({ year }) => ({ amountCents: thresholdOf(year), currency: 'usd' }),
    }),
    isThresholdKnown: t.boolean({
      description: 'False for years for which the IRS may have adjusted it since: compare it.',
      resolve: ({ year }) => year <= lastKnownYear,
    }),
    recipients: t.int({
      description: 'How many totals there are: one for each affiliate and currency.',
      resolve: ({ totals }) => totals.length,
    }),
    totals: t.field({
      type: [TaxTotalType],
      description: 'The first hundred totals. The file has all.',
      resolve: ({ totals }) => totals.slice(0, mostShown),
    }),
    csv: t.string({
      description: 'All totals as CSV, with masked tax ids. `exportTaxTotals` has them in full.',
      resolve: async ({ file }) => (await file()).csv,
    }),
  }),
})

builder.queryField('taxYear', (t) =>
  t.field({
    type: TaxYearType,
    forRole: 'finance',
    subGraphs: publicOnly,
    description: 'What affiliates were paid in a year, split by who reports it.',
    args: argsOf(taxTotalsInput),
    resolve: async (_root, args, ctx) => {
      const scope = programScope(ctx)
      const { year } = await parseInput(taxTotalsInput, args)
      const totals = await readTaxTotals(scope, year)
      return { year, totals, file: () => taxTotalsFile(scope, year, totals) }
    },
  }),
)

const TotalsFileType = builder.objectRef<TotalsFile>('TaxTotalsFile').implement({
  description: 'What affiliates were paid in a year, as CSV.',
  subGraphs: ['rest'],
  fields: (t) => ({
    csv: t.exposeString('csv', { description: 'The content of the file.', subGraphs: ['rest'] }),
    fileName: t.exposeString('fileName', { description: 'A name for the file.', subGraphs: ['rest'] }),
  }),
})

builder.queryField('taxTotalsFile', (t) =>
  t.field({
    type: TotalsFileType,
    forRole: 'finance',
    subGraphs: ['rest'],
    description: 'What affiliates were paid in a year as CSV, split by who reports it, with masked tax ids.',
    args: argsOf(taxTotalsInput),
    resolve: async (_root, args, ctx) => {
      const scope = programScope(ctx)
      const { year } = await parseInput(taxTotalsInput, args)
      return taxTotalsFile(scope, year, await readTaxTotals(scope, year))
    },
  }),
)

const ExportTaxTotalsPayload = builder.objectRef<TotalsFile>('ExportTaxTotalsPayload').implement({
  description: 'The result of `exportTaxTotals`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    csv: t.exposeString('csv', { description: 'All totals as CSV, with full tax ids.' }),
    fileName: t.exposeString('fileName', { description: 'A name for the file.' }),
  }),
})

mutation('exportTaxTotals', ExportTaxTotalsPayload, {
  description:
    'The totals of a year as CSV, with full tax ids, to be reported. That each was read is in the history of its affiliate, with the reason.',
  forRole: 'finance',
  input: exportTaxTotalsInput,
  resolve: async (ctx, raw) => {
    const scope = { ...programScope(ctx), webhooks: ctx.webhooks }
    const { year, reason } = await parseInput(exportTaxTotalsInput, raw)
    return taxTotalsWithIds(scope, year, reason)
  },
})
