import { batched } from '../../graphql/batch.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { nestedQuery } from '../../graphql/nested-query.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { addHistory } from '../history/graphql.ts'
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
import { affiliateListing } from './listing.ts'
import { listAffiliates, updateAffiliate } from './service.ts'

export const AffiliateType = builder.prismaObject('Affiliate', {
  description: 'Somebody who refers customers and earns commissions.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    object: objectName(t, 'affiliate'),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'Of the details; counters move without it.',
    }),
    firstName: t.exposeString('firstName', { forAffiliate: true, nullable: true }),
    lastName: t.exposeString('lastName', { forAffiliate: true, nullable: true }),
    email: t.expose('email', {
      forAffiliate: true,
      type: 'EmailAddress',
      description: 'Unique in the program, whatever the case of its letters.',
    }),
    walletAEmail: t.expose('walletAEmail', {
      forAffiliate: true,
      type: 'EmailAddress',
      nullable: true,
      description: 'Payout e-mail for the first wallet provider.',
    }),
    walletBEmail: t.expose('walletBEmail', {
      forAffiliate: true,
      type: 'EmailAddress',
      nullable: true,
      description: 'Payout e-mail for the second wallet provider.',
    }),
    state: t.expose('state', { forAffiliate: true, type: AffiliateStateEnum }),
    billingCustomerId: t.exposeString('billingCustomerId', {
      nullable: true,
      description: 'The affiliate as a customer of the billing system.',
    }),
    confirmedAt: t.expose('confirmedAt', { forAffiliate: true, type: 'DateTime', nullable: true }),
    receiveNewCommissionNotifications: t.exposeBoolean('receiveNewCommissionNotifications', {
      forAffiliate: true,
      subGraphs: publicOnly,
      description: 'Whether the affiliate wants to hear of each new commission; kept for whoever sends such messages.',
    }),
    visitors: t.exposeInt('visitors', { forAffiliate: true, description: 'Referrals, whatever became of them.' }),
    leads: t.exposeInt('leads', { forAffiliate: true, description: 'Referrals that became a lead.' }),
    conversions: t.exposeInt('conversions', { forAffiliate: true, description: 'Referrals that became a conversion.' }),
    signInCount: t.exposeInt('signInCount', {
      subGraphs: publicOnly,
      description: 'How often one of their links to the portal was used; it moves without updatedAt.',
    }),
    campaign: t.relation('campaign', {
      forAffiliate: true,
      description: 'The campaign whose rules new referrals get.',
    }),
    linkList: t.relation('links', {
      subGraphs: ['rest'],
      restName: 'links',
      query: { orderBy: { id: 'asc' } },
    }),
    coupon: t.relation('coupon', { forAffiliate: true, nullable: true }),
    walletAEmailConfirmedAt: t.field({
      type: 'DateTime',
      nullable: true,
      subGraphs: supersetOnly,
      description: 'As the program itself sets it, it counts as confirmed since the affiliate is; null without one.',
      resolve: ({ walletAEmail, confirmedAt }) => (walletAEmail === null ? null : confirmedAt),
    }),
    walletBEmailConfirmedAt: t.field({
      type: 'DateTime',
      nullable: true,
      subGraphs: supersetOnly,
      description: 'As the program itself sets it, it counts as confirmed since the affiliate is; null without one.',
      resolve: ({ walletBEmail, confirmedAt }) => (walletBEmail === null ? null : confirmedAt),
    }),
    commissionStats: t.field({
      type: 'CommissionStats',
      subGraphs: supersetOnly,
      description: 'What they earned and brought, by currency.',
      resolve: ({ id }, _args, ctx) =>
        batched(ctx, 'commission stats', id, (ids) => readCommissionStats(programScope(ctx), ids)),
    }),
  }),
})

addHistory('Affiliate')

export const affiliateConnection = connectionOf(affiliateListing, AffiliateType)

rootConnection('affiliates', affiliateConnection, "The program's affiliates.")

restList('affiliates', AffiliateType, listAffiliatesInput, listAffiliates, "The program's affiliates, newest first.")

builder.queryField('affiliate', (t) =>
  t.prismaField({
    type: 'Affiliate',
    description: 'An affiliate by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findAffiliate(programScope(ctx), id, query),
  }),
)

resourceMutation('createAffiliate', 'affiliate', AffiliateType, {
  description: 'Makes an affiliate and its first link.',
  subGraphs: everywhere,
  input: createAffiliateInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createAffiliate(programScope(ctx), input)
    return findAffiliate(programScope(ctx), id, query())
  },
})

resourceMutation('createAffiliates', 'affiliates', [AffiliateType], {
  description: 'Makes affiliates, each with its first link, all or none; every problem of every one is told.',
  input: createAffiliatesInput,
  resolve: async (ctx, input, query) => {
    const made = await createAffiliates(programScope(ctx), input)
    const ids = made.map(({ id }) => id)
    return findAffiliates(programScope(ctx), ids, query())
  },
})

const ImportProblemType = builder.objectRef<ImportedLine['problems'][number]>('ImportProblem').implement({
  description: 'One thing wrong with a line.',
  subGraphs: publicOnly,
  fields: (t) => ({
    message: t.exposeString('message', { description: 'A sentence for a person.' }),
    field: t.exposeString('field', { nullable: true, description: 'The column; null where it is the whole line.' }),
  }),
})

type Line = ImportedLine & { affiliate: Awaited<ReturnType<typeof findAffiliate>> | null }

const ImportedLineType = builder.objectRef<Line>('ImportedLine').implement({
  description: 'A line of an imported file, and what came of it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'Where it begins in the file; the header is line 1.' }),
    outcome: t.expose('outcome', { type: ImportOutcomeEnum }),
    affiliate: t.field({
      type: AffiliateType,
      nullable: true,
      description: 'The new affiliate, or the one who was there; null where nothing was made.',
      resolve: ({ affiliate }) => affiliate,
    }),
    problems: t.expose('problems', { type: [ImportProblemType] }),
  }),
})

type Import = Omit<ImportReport, 'lines'> & { lines: Line[] }

const ImportAffiliatesPayload = builder.objectRef<Import>('ImportAffiliatesPayload').implement({
  description: 'The report of an import, line by line.',
  subGraphs: publicOnly,
  fields: (t) => ({
    dryRun: t.exposeBoolean('dryRun', { description: 'Nothing was written.' }),
    created: t.exposeInt('created', { description: 'How many affiliates were made, or would be by a dry run.' }),
    skipped: t.exposeInt('skipped', { description: 'How many lines are of affiliates that there were already.' }),
    failed: t.exposeInt('failed', { description: 'How many lines have problems; where one has, nothing was made.' }),
    lines: t.expose('lines', { type: [ImportedLineType], description: 'All of them, in the order of the file.' }),
  }),
})

mutation('importAffiliates', ImportAffiliatesPayload, {
  description:
    'Makes the affiliates of a CSV file, with their links and coupons, all or none. Who is an affiliate already, by e-mail, stays as they are, so that a file can be imported again.',
  input: importAffiliatesInput,
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
  description: 'Changes what is given. Moving to another campaign changes no referral and no commission that exists.',
  subGraphs: everywhere,
  ids: { id: 'Of the affiliate.' },
  input: updateAffiliateInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateAffiliate(programScope(ctx), id, input)
    return findAffiliate(programScope(ctx), id, query())
  },
})
