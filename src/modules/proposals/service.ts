import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma, Proposal } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { forbidden, invalid, notFound, refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findById } from '../../kernel/lookup.ts'
import { excerpt } from '../../kernel/text.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { storedActor } from '../history/actor.ts'
import { recordAction } from '../history/record.ts'
import { readChanges } from './changes.ts'
import { proposeInput, updateProposalInput } from './input.ts'
import type { Effect, ProposalCtx } from './kind.ts'
import { kindOf } from './kinds/all.ts'

type Tx = Prisma.TransactionClient

const daysToDecide = 14
/** More could not be read by people. */
const maxOpen = 1_000
const maxArguments = 200_000

/**
 * Proposes a change, which a person confirms or rejects. Its verb is tried and undone, which says its effect.
 * @returns the id
 * @throws INVALID_INPUT; and what the verb throws, such as REFUSED for a commission that is paid
 */
export async function propose(ctx: ProposalCtx, raw: unknown): Promise<string> {
  const { kind, arguments: given, reason } = await parseInput(proposeInput, raw)
  const now = ctx.now()
  const programId = ctx.program.id
  const kept = (await kindOf(kind).kept?.(ctx, given)) ?? given
  const effect = await tryOut(ctx, { kind, arguments: kept, reason })
  const { actorKind: proposedByKind, actorId: proposedById } = storedActor(ctx.actor)
  const id = mintId(now)
  await withTransaction(ctx.db, async (tx) => {
    const open = await tx.proposal.count({ where: { programId, state: 'open', expiresAt: { gt: now } } })
    if (open >= maxOpen) throw refused(`${maxOpen} proposals wait for a person. Decide some of them first.`)
    const row = await tx.proposal.create({
      data: {
        programId,
        id,
        kind,
        arguments: kept as Prisma.InputJsonObject,
        reason,
        ...columnsOf(effect),
        proposedByKind,
        proposedById,
        expiresAt: new Date(now.getTime() + daysToDecide * 86_400_000),
        createdAt: now,
        updatedAt: now,
      },
    })
    await recordAction(tx, ctx, { subject: 'proposal', subjectId: id, action: 'created' }, null, row, now)
    await recordEvents(tx, ctx, eventsOf(id, ['tributary.proposal.created']), now)
  })
  return id
}

/**
 * Changes what is proposed, and computes its effect again.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if it is decided or expired; and what the verb throws
 */
export async function updateProposal(ctx: ProposalCtx, id: string, raw: unknown): Promise<void> {
  const input = await parseInput(updateProposalInput, raw)
  const before = await findProposal(ctx, id)
  if (ctx.actor.kind !== 'person') throw forbidden('Only a person who is signed in changes a proposal.')
  const editedById = ctx.actor.id
  refuseDecided(before, ctx.now())
  const { kind, reason = before.reason } = { kind: before.kind, ...input }
  const given = input.arguments ?? (before.arguments as Record<string, unknown>)
  const effect = await tryOut(ctx, { kind, arguments: given, reason })
  await withTransaction(ctx.db, async (tx) => {
    const locked = await lockProposal(tx, ctx, before.id)
    refuseDecided(locked, ctx.now())
    const now = ctx.now()
    const after = await tx.proposal.update({
      where: keyOf(locked),
      data: { arguments: given as Prisma.InputJsonObject, reason, ...columnsOf(effect), editedById, updatedAt: now },
    })
    await recordAction(tx, ctx, { subject: 'proposal', subjectId: locked.id, action: 'updated' }, locked, after, now)
  })
}

export type Proposed = { kind: Proposal['kind']; arguments: Record<string, unknown>; reason: string }

/** Runs the verb, and undoes it. @returns its effect @throws INVALID_INPUT; and what the verb throws */
async function tryOut(ctx: ProposalCtx, proposed: Proposed): Promise<Effect> {
  if (JSON.stringify(proposed.arguments).length > maxArguments)
    throw invalid([{ field: 'arguments', message: `Arguments are too long (at most ${maxArguments} characters).` }])
  const args = await argumentsOf(proposed)
  const planned = (await kindOf(proposed.kind).plan?.(ctx, args)) ?? null
  let effect: Effect | null = null
  const undone = new Error('undone')
  try {
    await withTransaction(
      ctx.whole,
      async (tx) => {
        effect = (await runWithin(tx, ctx, proposed)) ?? planned
        throw undone
      },
      { isLong: true },
    )
  } catch (error) {
    if (error !== undone) throw error
  }
  if (!effect) throw new Error(`A proposal of the kind ${proposed.kind} has no effect.`)
  return effect
}

/** @throws INVALID_INPUT, also for arguments that the kind does not have */
async function argumentsOf({ kind, arguments: given }: Proposed): Promise<Record<string, unknown>> {
  const { arguments: schema } = kindOf(kind)
  const known = Object.keys(schema.shape)
  return parseInput(schema, given, () =>
    Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => ({
        field: 'arguments',
        path: ['arguments', name],
        message: `The argument ${excerpt(name)} is not known. Arguments of ${kind.toUpperCase()} are: ${known.join(', ')}.`,
      })),
  )
}

/**
 * Runs the verb of a proposal in a transaction. @returns its effect; null if the verb has checked that itself
 */
export async function runWithin(
  tx: Tx,
  ctx: ProposalCtx,
  { kind, arguments: given, reason }: Proposed,
): Promise<Effect | null> {
  const args = await argumentsOf({ kind, arguments: given, reason })
  const since = mintId(ctx.now())
  const db = ctx.whole.within(tx).db.ofProgram(ctx.program.id)
  const effectOf = await kindOf(kind).run({ ...ctx, db }, args, reason)
  return effectOf === null ? null : effectOf(await readChanges(tx, ctx, since))
}

/** @throws NOT_FOUND */
export const findProposal = (ctx: ProgramCtx, id: string, query: Prisma.ProposalDefaultArgs = {}): Promise<Proposal> =>
  findById('Proposal', id, (own) =>
    ctx.db.proposal.findUnique({ ...query, where: keyOf({ programId: ctx.program.id, id: own }) }),
  )

/** @throws NOT_FOUND */
export async function lockProposal(tx: Tx, { program }: ProgramCtx, id: string): Promise<Proposal> {
  await tx.$queryRaw`select 1 from proposals where program_id = ${program.id}::uuid and id = ${id}::uuid for update`
  const proposal = await tx.proposal.findUnique({ where: keyOf({ programId: program.id, id }) })
  if (!proposal) throw notFound('Proposal', id)
  return proposal
}

export const keyOf = ({ programId, id }: Pick<Proposal, 'programId' | 'id'>) => ({ programId_id: { programId, id } })

const largest = (a: bigint, b: bigint) => (a > b ? a : b)

/** The amount is null if none changes, or several currencies do. The text has all. */
export function columnsOf({ text, money }: Effect) {
  const [only] = money.length === 1 ? money : []
  return {
    effectText: text,
    effectCents: only?.amountCents ?? null,
    effectCurrency: only?.currency ?? null,
    largestCents: money.reduce(
      (most, { amountCents }) => largest(most, amountCents < 0n ? -amountCents : amountCents),
      0n,
    ),
  }
}

/** @throws REFUSED */
export function refuseDecided({ state, expiresAt }: Proposal, now: Date): void {
  if (state !== 'open') throw refused(`The proposal was ${state} already.`)
  if (expiresAt <= now)
    throw refused(
      `The proposal expired at ${expiresAt.toISOString()}. What it is about may have changed: propose it again.`,
    )
}
