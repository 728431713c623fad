import type { Affiliate } from '../../generated/prisma/client.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { linesOf } from '../../graphql/cost.ts'
import { fromColumns } from '../../graphql/from-columns.ts'
import { lookUp } from '../../graphql/look-up-field.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { nestedQuery } from '../../graphql/nested-query.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { resolvedInSlices } from '../../kernel/slices.ts'
import { addHistory } from '../history/graphql.ts'
import { addressFields } from '../payout-methods/addresses.ts'
import { readCommissionStats } from './commission-stats.ts'
import { createAffiliate, createAffiliates } from './create.ts'
import { type ImportedLine, type ImportReport, importAffiliates } from './csv-import.ts'
import { findAffiliate, findAffiliates } from './find.ts'
import { AffiliateStateEnum, ImportOutcomeEnum } from './graphql-enums.ts'
import {
  createAffiliateInput,
  createAffiliatesInput,
  importAffiliatesInput,
  listAffiliatesInput,
  updateAffiliateInput,
} from './input.ts'
import { affiliateListing, listAffiliates } from './listing.ts'
import { updateAffiliate } from './service.ts'

const walletConfirmedAt =
  'When the payout e-mail was confirmed. Same as `confirmedAt`, because the program sets the e-mail itself. Null without a payout e-mail.'

export const AffiliateType = builder.prismaObject('Affiliate', {
  description: 'A person or company that refers customers and earns commissions.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the affiliate, a UUID.' }),
    object: objectName(t, 'affiliate'),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the affiliate was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the details were last changed. Changes of the counters do not count.',
    }),
    firstName: t.exposeString('firstName', {
      forAffiliate: true,
      nullable: true,
      description: 'The given name. Null if unknown.',
    }),
    lastName: t.exposeString('lastName', {
      forAffiliate: true,
      nullable: true,
      description: 'The family name. Null if unknown.',
    }),
    email: t.expose('email', {
      forAffiliate: true,
      type: 'EmailAddress',
      description: "The affiliate's e-mail. Unique in the program, compared without regard to case.",
    }),
    paypalEmail: t.expose('paypalEmail', {
      restName: 'wallet_a_email',
      forAffiliate: true,
      type: 'EmailAddress',
      nullable: true,
      description: `${addressFields.paypalEmail.description} Null if not set.`,
    }),
    wiseEmail: t.expose('wiseEmail', {
      restName: 'wallet_b_email',
      forAffiliate: true,
      type: 'EmailAddress',
      nullable: true,
      description: `${addressFields.wiseEmail.description} Null if not set.`,
    }),
    state: t.expose('state', {
      forAffiliate: true,
      type: AffiliateStateEnum,
      description: 'Whether the affiliate takes part. Only active affiliates get anything new.',
    }),
    billingCustomerId: t.exposeString('billingCustomerId', {
      nullable: true,
      description: "The affiliate's customer id in the billing system. Null if not set.",
    }),
    confirmedAt: t.expose('confirmedAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      description:
        'When the affiliate was confirmed. Affiliates created here are confirmed immediately. Null if the affiliate was imported without a confirmation.',
    }),
    receiveNewCommissionNotifications: t.exposeBoolean('receiveNewCommissionNotifications', {
      forAffiliate: true,
      subGraphs: publicOnly,
      description: 'Whether the affiliate is told of new commissions by mail.',
    }),
    visitors: t.exposeInt('visitors', {
      forAffiliate: true,
      description: 'The number of referrals in any state. May lag a second behind tracked visits.',
    }),
    leads: t.exposeInt('leads', {
      forAffiliate: true,
      description: 'The number of referrals that became a lead, including those that became a conversion later.',
    }),
    conversions: t.exposeInt('conversions', {
      forAffiliate: true,
      description: 'The number of referrals that became a conversion.',
    }),
    signInCount: t.exposeInt('signInCount', {
      subGraphs: publicOnly,
      description: 'How often the affiliate signed in with a sign-in link. Does not change `updatedAt`.',
    }),
    campaign: t.relation('campaign', {
      forAffiliate: true,
      description: "The affiliate's campaign. Its rules apply to new referrals.",
    }),
    linkList: t.relation('links', {
      subGraphs: ['rest'],
      description: "The affiliate's links that are not archived, oldest first.",
      restName: 'links',
      query: { where: { archivedAt: null }, orderBy: { id: 'asc' } },
    }),
    coupon: t.relation('coupon', {
      forAffiliate: true,
      nullable: true,
      description: "The affiliate's oldest coupon that is not archived. Null if there is none.",
    }),
    couponList: t.relation('coupons', {
      subGraphs: supersetOnly,
      description: "The affiliate's coupons that are not archived, oldest first.",
      query: { where: { archivedAt: null }, orderBy: { id: 'asc' } },
    }),
    paypalEmailConfirmedAt: t.field({
      type: 'DateTime',
      nullable: true,
      subGraphs: supersetOnly,
      description: walletConfirmedAt,
      ...fromColumns<Affiliate>()(['paypalEmail', 'confirmedAt'], ({ paypalEmail, confirmedAt }) =>
        paypalEmail === null ? null : confirmedAt,
      ),
    }),
    wiseEmailConfirmedAt: t.field({
      type: 'DateTime',
      nullable: true,
      subGraphs: supersetOnly,
      description: walletConfirmedAt,
      ...fromColumns<Affiliate>()(['wiseEmail', 'confirmedAt'], ({ wiseEmail, confirmedAt }) =>
        wiseEmail === null ? null : confirmedAt,
      ),
    }),
    commissionStats: t.field({
      type: 'CommissionStats',
      subGraphs: supersetOnly,
      description: "The affiliate's commission and revenue sums, by currency.",
      resolve: ({ id }, _args, ctx) =>
        batched(ctx, 'commission stats', id, (ids) => readCommissionStats(programScope(ctx), ids)),
    }),
  }),
})

addHistory('Affiliate')

export const affiliateConnection = connectionOf(affiliateListing, AffiliateType)

rootConnection('affiliates', affiliateConnection, "The program's affiliates.")

restList('affiliates', AffiliateType, listAffiliatesInput, listAffiliates, "The program's affiliates, newest first.")

lookUp(
  'affiliate',
  AffiliateType,
  { description: 'Finds an affiliate by id.', id: 'The id of the affiliate.', subGraphs: everywhere },
  findAffiliate,
)

resourceMutation('createAffiliate', 'affiliate', AffiliateType, {
  description: 'Creates an affiliate and its first link.',
  subGraphs: everywhere,
  input: createAffiliateInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createAffiliate(programScope(ctx), input)
    return findAffiliate(programScope(ctx), id, query())
  },
})

resourceMutation('createAffiliates', 'affiliates', [AffiliateType], {
  description:
    'Creates affiliates, each with its first link. Creates all or none, and reports every problem of every entry.',
  input: createAffiliatesInput,
  resolve: async (ctx, input, query) => {
    const created = await createAffiliates(programScope(ctx), input)
    const ids = created.map(({ id }) => id)
    return findAffiliates(programScope(ctx), ids, query())
  },
})

const ImportProblemType = builder.objectRef<ImportedLine['problems'][number]>('ImportProblem').implement({
  description: 'A problem with a line of the file.',
  subGraphs: publicOnly,
  fields: (t) => ({
    message: t.exposeString('message', { description: 'The problem as a sentence for people.' }),
    field: t.exposeString('field', {
      nullable: true,
      description: 'The column with the problem. Null if the problem concerns the whole line.',
    }),
  }),
})

type Line = ImportedLine & { affiliate: Awaited<ReturnType<typeof findAffiliate>> | null }

const ImportedLineType = builder.objectRef<Line>('ImportedLine').implement({
  description: 'A line of an imported file and its result.',
  subGraphs: publicOnly,
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'The number of the line in the file. The header is line 1.' }),
    outcome: t.expose('outcome', { type: ImportOutcomeEnum, description: 'What the import did with the line.' }),
    affiliate: t.field({
      type: AffiliateType,
      nullable: true,
      description: 'The new or the existing affiliate. Null if none was created.',
      resolve: ({ affiliate }) => affiliate,
    }),
    problems: t.expose('problems', {
      type: [ImportProblemType],
      description: 'The problems of the line. Empty unless the outcome is `INVALID`.',
    }),
  }),
})

type Import = Omit<ImportReport, 'lines'> & { lines: Line[] }

const ImportAffiliatesPayload = builder.objectRef<Import>('ImportAffiliatesPayload').implement({
  description: 'The result of an import, with each line of the file.',
  subGraphs: publicOnly,
  fields: (t) => ({
    dryRun: t.exposeBoolean('dryRun', { description: 'Whether this was a dry run, which writes nothing.' }),
    created: t.exposeInt('created', {
      description: 'The number of created affiliates. In a dry run, the number that would be created.',
    }),
    skipped: t.exposeInt('skipped', { description: 'The number of lines whose affiliate already exists.' }),
    failed: t.exposeInt('failed', {
      description:
        'The number of lines with problems. If it is not 0, no affiliate was created, except for lines whose e-mail, token or coupon another request took during the import: only these are left out then.',
    }),
    lines: t.field({
      type: [ImportedLineType],
      description: 'All lines, in the order of the file.',
      resolve: ({ lines }) => resolvedInSlices(lines),
    }),
  }),
})

/** One file of 2,000 lines is within the limit, two are not. */
const costOfLine = 20

mutation('importAffiliates', ImportAffiliatesPayload, {
  description:
    'Creates the affiliates of a CSV file, with their links and coupons. If a line has a problem, nothing is created. Else all are, 25 at a time. If the client disconnects, the import ends, and what was created stays. Lines whose e-mail belongs to an existing affiliate are skipped, except that the affiliate joins the groups of the line. So a file can be imported again.',
  input: importAffiliatesInput,
  cost: ({ csv }) => costOfLine * linesOf(String(csv)),
  resolve: async (ctx, input, info) => {
    const scope = programScope(ctx)
    const report = await importAffiliates(scope, input)
    const ids = report.lines.flatMap(({ affiliateId }) => affiliateId ?? [])
    const query = nestedQuery(ctx, info, AffiliateType.name, ['lines', 'affiliate'])
    const affiliates = new Map((await findAffiliates(scope, ids, query)).map((one) => [one.id, one]))
    const lines = report.lines.map((line) => ({ ...line, affiliate: affiliates.get(line.affiliateId ?? '') ?? null }))
    return { ...report, lines }
  },
})

resourceMutation('updateAffiliate', 'affiliate', AffiliateType, {
  description:
    'Updates the given fields. A move to another campaign does not change existing referrals and commissions.',
  subGraphs: everywhere,
  ids: { id: 'The id of the affiliate.' },
  input: updateAffiliateInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateAffiliate(programScope(ctx), id, input)
    return findAffiliate(programScope(ctx), id, query())
  },
})
