import { type Affiliate, type Branch, type BranchDifference, Prisma } from '../../../generated/prisma/client.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { moneyBeside } from '../../../graphql/money.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { defineNode } from '../../../graphql/node.ts'
import { AffiliateType } from '../../affiliates/graphql.ts'
import { HistoryActorType } from '../../history/graphql.ts'
import { BranchAttributionEnum, BranchStateEnum } from './graphql-enums.ts'
import { acceptBranchInput, createBranchInput, discardBranchInput } from './input.ts'
import type { BranchRule } from './overlay.ts'
import { acceptBranch, createBranch, discardBranch, findBranch } from './service.ts'

/** Of the table of a branch. */
const mostListed = 1_000

type Row = BranchDifference & { affiliate: Affiliate }

const BranchDifferenceType = builder.objectRef<Row>('BranchDifference').implement({
  description: "What an affiliate's sales of a month earn in a branch, and without it.",
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliate: t.field({ type: AffiliateType, description: 'The affiliate.', resolve: ({ affiliate }) => affiliate }),
    month: t.exposeString('month', { description: "The month of the sales, in the program's time zone: `2026-10`." }),
    currency: t.expose('currency', { type: 'Currency', description: 'The currency of the commissions.' }),
    beforeCents: t.expose('beforeCents', {
      type: 'SafeInt',
      description: 'What they earn without it, in minor units of `currency`.',
    }),
    afterCents: t.expose('afterCents', { type: 'SafeInt', description: 'What they earn with it.' }),
    differenceCents: t.field({
      type: 'SafeInt',
      description: 'The correction that accepting the branch gives.',
      resolve: ({ beforeCents, afterCents }) => afterCents - beforeCents,
    }),
    before: t.field({
      ...moneyBeside('beforeCents'),
      resolve: ({ beforeCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
    after: t.field({
      ...moneyBeside('afterCents'),
      resolve: ({ afterCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
    difference: t.field({
      ...moneyBeside('differenceCents'),
      resolve: ({ beforeCents, afterCents, currency }) => ({ amountCents: afterCents - beforeCents, currency }),
    }),
  }),
})

const BranchType = builder.objectRef<Branch>('Branch').implement({
  description:
    'Another past: what sales would have earned by other rules, or by another attribution. It changes no balance until it is accepted.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the branch.' }),
    name: t.exposeString('name', { description: 'What it tries.' }),
    state: t.expose('state', { type: BranchStateEnum, description: 'What was decided.' }),
    since: t.expose('since', { type: 'DateTime', description: 'The start of its range, inclusive.' }),
    until: t.expose('until', { type: 'DateTime', description: 'The end of its range: when it was made.' }),
    attribution: t.expose('attribution', {
      type: BranchAttributionEnum,
      nullable: true,
      description: 'Which signal decides first. Null: as the sales were attributed.',
    }),
    ruleNames: t.stringList({
      description: 'The names of the rules that it adds or replaces.',
      resolve: ({ rules }) => (rules as unknown as BranchRule[]).map(({ rule }) => rule.name),
    }),
    sales: t.exposeInt('sales', { description: 'The number of sales in its range.' }),
    changedSales: t.exposeInt('changedSales', {
      description: 'The number of those that earn something else, or belong to another affiliate.',
    }),
    differences: t.field({
      type: [BranchDifferenceType],
      description: 'What affiliates earn otherwise, by month and affiliate. At most 1,000.',
      resolve: ({ programId, id: branchId }, _args, { db }) =>
        db.branchDifference.findMany({
          where: { programId, branchId },
          include: { affiliate: true },
          orderBy: [{ month: 'asc' }, { affiliateId: 'asc' }, { currency: 'asc' }],
          take: mostListed,
        }) as Promise<Row[]>,
    }),
    differenceCount: t.int({
      description: 'The number of differences.',
      resolve: ({ programId, id: branchId }, _args, { db }) =>
        db.branchDifference.count({ where: { programId, branchId } }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    createdBy: t.field({
      type: HistoryActorType,
      description: 'Who made it.',
      resolve: ({ programId, createdByKind: kind, createdById: actorId }) => ({ programId, kind, actorId }),
    }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was accepted or discarded. Null if it is open.',
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was accepted. Null otherwise.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the last of its corrections was written. Null before. Accepting it again writes those that are left.',
    }),
  }),
})

defineNode(BranchType, {
  has: ({ program }, id) => Prisma.sql`from branches where program_id = ${program.id}::uuid and id = ${id}::uuid`,
  find(ctx, id) {
    const { db, program } = programScope(ctx)
    return db.branch.findUnique({ where: { programId_id: { programId: program.id, id } } })
  },
})

builder.queryField('branch', (t) =>
  t.field({
    type: BranchType,
    isLookUp: true,
    subGraphs: publicOnly,
    description: 'Finds a branch by its id.',
    args: { id: t.arg.id({ required: true, description: 'The id of the branch.' }) },
    resolve: (_root, { id }, ctx) => findBranch(programScope(ctx), id),
  }),
)

builder.queryField('branches', (t) =>
  t.field({
    type: [BranchType],
    subGraphs: publicOnly,
    description: 'The branches of the program, newest first. At most 100.',
    resolve: (_root, _args, ctx) => {
      const { db, program } = programScope(ctx)
      return db.branch.findMany({ where: { programId: program.id }, orderBy: { id: 'desc' }, take: 100 })
    },
  }),
)

/** As a plan. */
const costOfReplay = () => 20_000

resourceMutation('createBranch', 'branch', BranchType, {
  description:
    'Calculates what sales would have earned by other rules or by another attribution, beside the branches that were accepted, and keeps the table. No balance changes. Leads are left out; refunds are deducted as if they had been made at the time of the sale.',
  input: createBranchInput,
  cost: costOfReplay,
  resolve: (ctx, input) => createBranch(programScope(ctx), input),
})

resourceMutation('acceptBranch', 'branch', BranchType, {
  description:
    'Makes the differences of a branch corrections, one for each affiliate, month of sales and currency, with one reason. They are in the statements of the open month. Refused if sales of its range have changed since. Idempotent. If it is interrupted, the same call goes on.',
  input: acceptBranchInput,
  cost: costOfReplay,
  resolve: (ctx, input) => acceptBranch(programScope(ctx), input),
})

resourceMutation('discardBranch', 'branch', BranchType, {
  description: 'Throws a branch away. Nothing changes.',
  input: discardBranchInput,
  resolve: (ctx, input) => discardBranch(programScope(ctx), input),
})
