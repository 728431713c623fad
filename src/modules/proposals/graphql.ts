import type { Proposal } from '../../generated/prisma/client.ts'
import { hasRole, roleInWords } from '../../graphql/access.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { lookUp } from '../../graphql/look-up-field.ts'
import { moneyBeside, moneyOf } from '../../graphql/money.ts'
import { resourceMutation, roleOfMutation } from '../../graphql/mutation.ts'
import { forbidden } from '../../kernel/errors.ts'
import { addHistory, HistoryActorType } from '../history/graphql.ts'
import { confirmProposal, needsSecondPerson, refusalOf, rejectProposal } from './decide.ts'
import { ProposalKindEnum, ProposalStateEnum } from './graphql-enums.ts'
import { proposeInput, rejectProposalInput, updateProposalInput } from './input.ts'
import type { ProposalCtx } from './kind.ts'
import { kindOf } from './kinds/all.ts'
import { proposalListing, stateOf } from './listing.ts'
import { proposersOf } from './proposers.ts'
import { findProposal, propose, updateProposal } from './service.ts'

const proposalScope = (ctx: GraphQLContext): ProposalCtx => ({
  ...programScope(ctx),
  publicUrl: ctx.affiliateUrl,
  key: ctx.webhooks.key,
  whole: ctx.db,
})

const EffectType = builder.objectRef<Proposal>('ProposalEffect').implement({
  description: 'What confirming a proposal does, when that was last computed. Confirming computes it again.',
  subGraphs: publicOnly,
  fields: (t) => ({
    text: t.exposeString('effectText', { description: 'What is done, with its amounts.' }),
    amountCents: t.expose('effectCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        'How much more is owed to affiliates, in minor units of `currency`; negative: less. For an approval, what can be paid; for a payout run, its sum. Null if no money changes, or that of several currencies.',
    }),
    amount: t.field({
      ...moneyBeside('amountCents'),
      nullable: true,
      resolve: ({ effectCents, effectCurrency }) => moneyOf(effectCents, effectCurrency ?? ''),
    }),
    currency: t.expose('effectCurrency', {
      type: 'Currency',
      nullable: true,
      description: 'ISO 4217, lower case. Null if `amountCents` is.',
    }),
  }),
})

/** Why the caller cannot confirm it. Null: they can. */
function refusalFor(ctx: GraphQLContext, proposal: Proposal): string | null {
  const { actor } = ctx
  const state = stateOf(proposal, ctx.now())
  if (state !== 'open') return `The proposal is ${state}.`
  if (actor.kind !== 'person') return 'Only a person who is signed in confirms a proposal.'
  const role = roleOfMutation(kindOf(proposal.kind).mutation)
  if (!hasRole(role, actor)) return `This needs the role of ${roleInWords(role)}.`
  return refusalOf(programScope(ctx), proposal)
}

const ProposalType = builder.prismaObject('Proposal', {
  description: 'A change that an API key or a person proposed. Nothing of it is done until a person confirms it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the proposal.' }),
    kind: t.field({
      type: ProposalKindEnum,
      description: 'What is proposed.',
      resolve: ({ kind }) => kind as keyof typeof import('./kinds/all.ts').kinds,
    }),
    state: t.field({
      type: ProposalStateEnum,
      description: 'Whether it was decided.',
      resolve: (proposal, _args, ctx) => stateOf(proposal, ctx.now()),
    }),
    arguments: t.field({
      type: 'JSONObject',
      description: 'The arguments of its kind, as they were proposed.',
      resolve: (proposal) => proposal.arguments as Record<string, unknown>,
    }),
    effect: t.field({ type: EffectType, description: 'What confirming it does.', resolve: (proposal) => proposal }),
    reason: t.exposeString('reason', { description: 'Why it was proposed, in the words of who did.' }),
    proposedBy: t.string({
      description: 'Who proposed it: the name of the API key or of the person.',
      resolve: ({ proposedByKind: kind, proposedById: id }, _args, ctx) =>
        batched(ctx, 'proposers', `${kind} ${id}`, (keys) => proposersOf(programScope(ctx), keys)),
    }),
    proposer: t.field({
      type: HistoryActorType,
      description: 'Who proposed it.',
      resolve: ({ programId, proposedByKind: kind, proposedById: actorId }) => ({ programId, kind, actorId }),
    }),
    editedBy: t.field({
      type: HistoryActorType,
      nullable: true,
      description: 'The person who last changed it. Null if nobody did.',
      resolve: ({ programId, editedById: actorId }) =>
        actorId === null ? null : { programId, kind: 'person' as const, actorId },
    }),
    decidedBy: t.field({
      type: HistoryActorType,
      nullable: true,
      description: 'The person who confirmed or rejected it. Null before.',
      resolve: ({ programId, decidedByKind: kind, decidedById: actorId }) => kind && { programId, kind, actorId },
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'When it was decided.' }),
    decisionReason: t.exposeString('decisionReason', {
      nullable: true,
      description: 'Why it was rejected. Null if it was not, or if no reason was given.',
    }),
    needsSecondPerson: t.boolean({
      description:
        "Whether it is above the program's limit, so that who proposed or changed it cannot confirm it, as for payout runs.",
      resolve: (proposal, _args, ctx) => needsSecondPerson(programScope(ctx), proposal),
    }),
    refusal: t.string({
      nullable: true,
      description: 'Why the caller cannot confirm it. Null if they can.',
      resolve: (proposal, _args, ctx) => refusalFor(ctx, proposal),
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be confirmed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was proposed.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

addHistory('Proposal')

rootConnection(
  'proposals',
  connectionOf(proposalListing, ProposalType),
  'Changes that were proposed, newest first: those that wait for a person are `where: {state: {equals: OPEN}}`.',
)

lookUp(
  'proposal',
  ProposalType,
  { description: 'Finds a proposal by its id.', id: 'The id of the proposal.' },
  (ctx, id, query) => findProposal(ctx, id, query),
)

resourceMutation('propose', 'proposal', ProposalType, {
  description:
    'Proposes a change. It is tried and undone, so that its effect is known and what is not allowed is an error. Nothing of it is done until a person confirms it within 14 days.',
  input: proposeInput,
  resolve: async (ctx, input, query) => {
    const scope = proposalScope(ctx)
    return findProposal(scope, await propose(scope, input), query())
  },
})

resourceMutation('updateProposal', 'proposal', ProposalType, {
  description:
    'Changes what is proposed, and computes its effect again. Only a person can do it; above the limit for two people, somebody else then has to confirm it.',
  ids: { id: 'The id of the proposal.' },
  input: updateProposalInput,
  resolve: async (ctx, { id, ...input }, query) => {
    const scope = proposalScope(ctx)
    await updateProposal(scope, id, input)
    return findProposal(scope, id, query())
  },
})

resourceMutation('confirmProposal', 'proposal', ProposalType, {
  description:
    'Makes the proposed change, as the person who is signed in, who needs the role that the change needs. If its effect is not what the proposal shows any more, nothing is done and the proposal shows the new one. Idempotent.',
  ids: { id: 'The id of the proposal.' },
  resolve: async (ctx, { id }, query) => {
    const scope = proposalScope(ctx)
    const { kind } = await findProposal(scope, id)
    const role = roleOfMutation(kindOf(kind).mutation)
    if (ctx.actor.kind === 'person' && !hasRole(role, ctx.actor))
      throw forbidden(`This proposal needs the role of ${role === 'owner' ? 'an owner' : 'a manager'}.`)
    await confirmProposal(scope, id)
    return findProposal(scope, id, query())
  },
})

resourceMutation('rejectProposal', 'proposal', ProposalType, {
  description: 'Rejects a proposal, so that nobody can confirm it. Idempotent.',
  ids: { id: 'The id of the proposal.' },
  input: rejectProposalInput,
  resolve: async (ctx, { id, ...input }, query) => {
    const scope = proposalScope(ctx)
    await rejectProposal(scope, id, input)
    return findProposal(scope, id, query())
  },
})
