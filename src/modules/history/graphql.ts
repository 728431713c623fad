import { Prisma } from '../../generated/prisma/client.ts'
import type { ChangeSubject } from '../../generated/prisma/enums.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { MoneyType } from '../../graphql/money.ts'
import { defineNode } from '../../graphql/node.ts'
import { lazily } from '../../graphql/slice.ts'
import { pageArgs, type ValueConnection, valueConnection } from '../../graphql/value-connection.ts'
import { isOperator } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { isId, ownCase } from '../../kernel/ids.ts'
import type { WindowInput } from '../../listing/window.ts'
import { currenciesOf, ownCurrency } from './currencies.ts'
import type { ShownChange } from './fields.ts'
import { ActorKindEnum, ChangeSubjectEnum, HistoryActionEnum, HistorySubjectEnum } from './graphql-enums.ts'
import { accessSubjects, findHistoryEntry } from './program-history.ts'
import {
  countHistories,
  type HistoryActor,
  type HistoryEntry,
  type HistorySubject,
  listHistories,
  readHistoryWindow,
} from './service.ts'
import { amountsOf, namesOf } from './subject-names.ts'

type ChangeOf = ShownChange & { programId: string }

const references: Readonly<Record<string, HistorySubject>> = { campaignId: 'campaign', affiliateId: 'affiliate' }

function nameOfValue(
  ctx: GraphQLContext,
  { programId, field }: ChangeOf,
  value: string | null,
): Promise<string | null> {
  const subject = references[field]
  if (!subject || value === null || !isId(value)) return Promise.resolve(null)
  return batched(ctx, `history names ${subject}`, value, (ids) => namesOf(ctx, programId, subject, ids))
}

const FieldChangeType = builder.objectRef<ChangeOf>('FieldChange').implement({
  description: 'The old and the new value of a changed field.',
  subGraphs: publicOnly,
  fields: (t) => ({
    field: t.exposeString('field', {
      description:
        'The name of the field. `token` is the token of one of the links or coupons; an entry about archiving has it unchanged.',
    }),
    from: t.string({
      nullable: true,
      resolve: (change) => change.from,
      description: 'The old value as text, in the values of the REST API. Null if the field was empty.',
    }),
    to: t.exposeString('to', {
      nullable: true,
      description: 'The new value as text, in the values of the REST API. Null if the field was cleared.',
    }),
    fromName: t.string({
      nullable: true,
      description: 'If the old value is the id of a campaign or an affiliate: its present name. Else null.',
      resolve: (change, _args, ctx) => nameOfValue(ctx, change, change.from),
    }),
    toName: t.string({
      nullable: true,
      description: 'If the new value is the id of a campaign or an affiliate: its present name. Else null.',
      resolve: (change, _args, ctx) => nameOfValue(ctx, change, change.to),
    }),
  }),
})

export const HistoryActorType = builder.objectRef<HistoryActor>('HistoryActor').implement({
  description: 'The actor of an action.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ActorKindEnum, description: 'The kind of actor.' }),
    apiKey: t.prismaField({
      type: 'ApiKey',
      nullable: true,
      description: 'The API key that was used, even if it is revoked by now. Null for other kinds of actors.',
      resolve: (query, { programId, kind, actorId: id }, _args, ctx) =>
        kind !== 'api_key' || id === null
          ? null
          : ctx.db.apiKey.findUnique({ ...query, where: { programId_id: { programId, id } } }),
    }),
    affiliate: t.prismaField({
      type: 'Affiliate',
      nullable: true,
      description:
        'The affiliate whose token was used. Null for other kinds of actors. Affiliates appear here because reading payouts collects the due commissions.',
      resolve: (query, { programId, kind, actorId: id }, _args, ctx) =>
        kind !== 'affiliate' || id === null
          ? null
          : ctx.db.affiliate.findUnique({ ...query, where: { programId_id: { programId, id } } }),
    }),
  }),
})

const HistoryEntryType = builder.objectRef<HistoryEntry>('HistoryEntry').implement({
  description: 'One action on a resource. Entries are append-only: the database rejects updates and deletions.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the entry.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the action happened.' }),
    subject: t.expose('subject', { type: HistorySubjectEnum, description: 'What kind of resource it was done to.' }),
    subjectId: t.exposeID('subjectId', { description: 'The id of the resource.' }),
    subjectName: t.string({
      nullable: true,
      description:
        'The present name of the resource: of a commission or a payout, that of the affiliate. Null if it has none, or was deleted.',
      resolve: ({ programId, subject, subjectId }, _args, ctx) =>
        batched(ctx, `history names ${subject}`, subjectId, (ids) => namesOf(ctx, programId, subject, ids)),
    }),
    subjectAmount: t.field({
      type: MoneyType,
      nullable: true,
      description: 'The present amount of a commission, payout, payout run or unattributed sale. Null for others.',
      resolve: ({ programId, subject, subjectId }, _args, ctx) =>
        batched(ctx, `history amounts ${subject}`, subjectId, (ids) => amountsOf(ctx, programId, subject, ids)),
    }),
    action: t.expose('action', { type: HistoryActionEnum, description: 'What was done.' }),
    changes: t.field({
      type: [FieldChangeType],
      description: 'The fields that the action changed.',
      resolve: ({ programId, changes }) => changes.map((change) => ({ ...change, programId })),
    }),
    currency: t.field({
      type: 'Currency',
      nullable: true,
      description:
        'The currency of the amounts in `changes`, as it was after the action. Null if no amount of a currency changed.',
      resolve: (entry, _args, ctx) => currencyOf(ctx, entry),
    }),
    actor: t.field({
      type: HistoryActorType,
      description: 'The actor of the action.',
      resolve: ({ programId, actorKind, actorId }) => ({ programId, kind: actorKind, actorId }),
    }),
    requestId: t.exposeString('requestId', {
      description: 'The id of the request that performed the action, as in its response header and in the log.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description:
        'Why it happened, as a text for people, for example the refund that voided a commission. Null if `action` says it all.',
    }),
  }),
})

defineNode(HistoryEntryType, {
  has: ({ program }, id) => Prisma.sql`from (
    select id from changes where program_id = ${program.id}::uuid and id = ${id}::uuid
    union all select id from money_events where program_id = ${program.id}::uuid and id = ${id}::uuid) entries`,
  find: (ctx, id) => findHistoryEntry(programScope(ctx), id, managesAccess(ctx)),
})

function currencyOf(ctx: GraphQLContext, entry: HistoryEntry): Promise<string | null> | string | null {
  const own = ownCurrency(entry)
  if (own !== undefined) return own
  const { programId, subject, id, subjectId } = entry
  return batched(ctx, `history currency ${subject}`, `${id} ${subjectId}`, (keys) => {
    const entries = keys.map((key) => ({ id: key.slice(0, 36), subjectId: key.slice(37) }))
    return currenciesOf(ctx, programId, subject, entries)
  })
}

export const HistoryEntryConnection = valueConnection(HistoryEntryType)

const description = 'Who changed which fields, when, and in which request. Newest first.'

/** The common options of every `history` field. Each type adds its own resolver. */
export const historyField = () => ({
  type: HistoryEntryConnection,
  description,
  subGraphs: publicOnly,
  args: pageArgs(),
})

/** Whether the caller may see people and API keys. */
export const managesAccess = ({ actor }: GraphQLContext): boolean =>
  isOperator(actor) || (actor.kind === 'person' && actor.role === 'owner')

function historyOf(
  ctx: GraphQLContext,
  subject: ChangeSubject,
  id: string,
  args: WindowInput,
): ValueConnection<HistoryEntry> {
  const scope = programScope(ctx)
  if (accessSubjects.includes(subject) && !managesAccess(ctx))
    throw forbidden('Only owners and operators see the history of people and API keys.')
  const window = readHistoryWindow(args)
  const { first, last, after, before } = args
  const key = `history ${subject} ${JSON.stringify([first, last, after, before])}`
  return {
    window,
    slice: lazily(() => batched(ctx, key, id, (ids) => listHistories(scope, subject, ids, window))),
    totalCount: () => batched(ctx, `history count ${subject}`, id, (ids) => countHistories(scope, subject, ids)),
  }
}

const subjects = {
  Affiliate: 'affiliate',
  Campaign: 'campaign',
  Payout: 'payout',
  PayoutRun: 'payout_run',
  Proposal: 'proposal',
  Feed: 'feed',
  PayoutService: 'payout_service',
  WebhookEndpoint: 'webhook_endpoint',
} as const

/** Adds the field `history` to a type whose changes are recorded with `recordChanges`. */
export function addHistory(type: keyof typeof subjects): void {
  builder.prismaObjectField(type, 'history', (t) =>
    t.field({
      ...historyField(),
      resolve: ({ id }, args, ctx) => historyOf(ctx, subjects[type], id, args),
    }),
  )
}

builder.queryField('history', (t) =>
  t.field({
    type: HistoryEntryConnection,
    description: `The history of a resource by id. Also finds open payouts that were left empty and deleted. ${description}`,
    args: {
      subject: t.arg({ type: ChangeSubjectEnum, required: true, description: 'The kind of resource.' }),
      id: t.arg.id({ required: true, description: 'The id of the resource.' }),
      ...pageArgs(),
    },
    resolve: (_root, { subject, id, ...args }, ctx) => historyOf(ctx, subject, ownCase(id), args),
  }),
)
