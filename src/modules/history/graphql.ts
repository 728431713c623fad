import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import type { ShownChange } from './fields.ts'
import { ActorKindEnum, ChangeSubjectEnum } from './graphql-enums.ts'
import { type HistoryEntry, listHistories, listHistory } from './service.ts'

const FieldChangeType = builder.objectRef<ShownChange>('FieldChange').implement({
  description: 'A field that was changed.',
  subGraphs: publicOnly,
  fields: (t) => ({
    field: t.exposeString('field', { description: "The resource's field, or `token` for that of a link or coupon." }),
    from: t.string({
      nullable: true,
      resolve: (change) => change.from,
      description: 'What it was, as text in the words of the REST API; null where there was nothing.',
    }),
    to: t.exposeString('to', { nullable: true, description: 'What it became; null where it was cleared.' }),
  }),
})

type HistoryActor = { programId: string; kind: HistoryEntry['actorKind']; actorId: string | null }

const HistoryActorType = builder.objectRef<HistoryActor>('HistoryActor').implement({
  description: 'Who did something.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ActorKindEnum }),
    apiKey: t.prismaField({
      type: 'ApiKey',
      nullable: true,
      description: 'The key that was used, revoked ones too; null for everybody else.',
      resolve: (query, { programId, kind, actorId: id }, _args, ctx) =>
        kind !== 'api_key' || id === null
          ? null
          : ctx.db.apiKey.findUnique({ ...query, where: { programId_id: { programId, id } } }),
    }),
    affiliate: t.prismaField({
      type: 'Affiliate',
      nullable: true,
      description: 'The affiliate whose token was used: what is due is gathered when they read their payouts.',
      resolve: (query, { programId, kind, actorId: id }, _args, ctx) =>
        kind !== 'affiliate' || id === null
          ? null
          : ctx.db.affiliate.findUnique({ ...query, where: { programId_id: { programId, id } } }),
    }),
  }),
})

const HistoryEntryType = builder.objectRef<HistoryEntry>('HistoryEntry').implement({
  description: 'Something that was done to a resource. Entries are never changed or removed: the database refuses it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    action: t.exposeString('action', {
      description:
        'What was done: `created`, `updated`; `link_created`, `link_token_changed`, `coupon_created` of an affiliate; `opened`, `amount_changed`, `paid`, `closed` of a payout; `earned`, `amended`, `voided`, `paid`, `refunded`, `held`, `approved` of a commission.',
    }),
    changes: t.expose('changes', { type: [FieldChangeType], description: 'What it changed, from what to what.' }),
    actor: t.field({
      type: HistoryActorType,
      resolve: ({ programId, actorKind, actorId }) => ({ programId, kind: actorKind, actorId }),
    }),
    requestId: t.exposeString('requestId', {
      description: 'Of the request that did it, as its answer and the log have it.',
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, where somebody said so.' }),
  }),
})

const windowArgs = () =>
  builder.args((t) => ({
    first: t.int({ description: 'How many entries; more than 100 is served as 100. Default: 25.' }),
    before: t.id({ description: 'Only entries older than the one with this id: to read on.' }),
  }))

const description = 'Who changed what, from what to what, when, and in which request; newest first.'

/** What every `history` field has in common; the type that has one brings its resolver. */
export const historyField = () => ({
  type: [HistoryEntryType] as [typeof HistoryEntryType],
  description,
  subGraphs: publicOnly,
  args: windowArgs(),
})

const subjects = { Affiliate: 'affiliate', Campaign: 'campaign', Payout: 'payout' } as const

/** Adds `history` to a type whose changes are recorded by `recordChanges`. Each of these modules calls it once. */
export function addHistory(type: keyof typeof subjects): void {
  builder.prismaObjectField(type, 'history', (t) =>
    t.field({
      ...historyField(),
      resolve: ({ id }, window, ctx) =>
        batched(ctx, `history ${type} ${window.first} ${window.before}`, id, (ids) =>
          listHistories(programScope(ctx), subjects[type], ids, window),
        ),
    }),
  )
}

builder.queryField('history', (t) =>
  t.field({
    type: [HistoryEntryType],
    description: `The history of a resource by its id, also of an open payout that was left empty and disappeared. ${description}`,
    args: {
      subject: t.arg({ type: ChangeSubjectEnum, required: true }),
      id: t.arg.id({ required: true }),
      ...windowArgs(),
    },
    resolve: (_root, { subject, id, ...window }, ctx) => listHistory(programScope(ctx), subject, id, window),
  }),
)
