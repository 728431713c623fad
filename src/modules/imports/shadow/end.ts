import { withTransaction } from '../../../database/client/transaction.ts'
import type { Program } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { byCurrency } from '../../../kernel/money/currency-order.ts'
import { nextOwnTurn } from '../../../kernel/slices.ts'
import { voidCommissions } from '../../commissions/decide.ts'
import { recordProgramChange } from '../../history/record.ts'
import { forgetCachedPrograms } from '../../programs/cached-lookup.ts'
import { newBatch, saveRecords } from '../batch.ts'
import { importCommissions } from '../commissions/import.ts'
import { leaveOutSales } from '../commissions/left-out-sales.ts'
import { sourceState } from '../commissions/state.ts'
import { endShadowInput } from '../input.ts'
import { type Ours, readOurs, readTheirs, type Theirs } from './read-sales.ts'

type Money = { amountCents: bigint; currency: string }

export type EndedShadow = {
  program: Program
  /** Commissions of the other service that count here now. */
  takenOver: number
  /** Sales whose commissions are void, because the other service credited nobody, or another affiliate. */
  voided: number
  notTakenOver: { externalId: string; message: string }[]
}

const batchSize = 200
const voidedAtOnce = 100

/**
 * Makes a shadow live. Sales before `at` count as at the other service: what it paid is paid, what it owes is owed, and
 * what it did not credit is void. Sales since `at` count as they were computed here. If it is interrupted, the program
 * is still a shadow, and the same call goes on.
 * @throws INVALID_INPUT; REFUSED
 */
export async function endShadow(ctx: ProgramCtx, raw: unknown): Promise<EndedShadow> {
  const input = await parseInput(endShadowInput, raw, ({ at }) =>
    at && at > ctx.now() ? [problem('at', "can't be in the future")] : [],
  )
  refuseUnlessShadow(ctx)
  const [last] = await importsOf(ctx)
  const at = input.at ?? last?.startedAt ?? ctx.now()
  const theirs = await readTheirs(ctx)
  const refusal = await refusalOf(ctx, at, theirs)
  if (refusal !== null) throw refused(refusal)
  const taken = theirs.filter((one) => one.at < at)
  const voided = await voidOthers(ctx, await readOurs(ctx, at), taken)
  const results = await takeOver(ctx, taken)
  const program = await finish(ctx, at)
  return { program, ...results, voided }
}

export type EndPreview = {
  at: Date
  /** Why it cannot end at that time. */
  refusal: string | null
  owed: Money[]
  paid: Money[]
  affiliates: number
  voided: number
}

/** What the end of a shadow at a time would take over. Nothing is changed. @throws REFUSED if it is not a shadow */
export async function previewEnd(ctx: ProgramCtx, at: Date | undefined): Promise<EndPreview> {
  refuseUnlessShadow(ctx)
  const [last] = await importsOf(ctx)
  const moment = at ?? last?.startedAt ?? ctx.now()
  const theirs = await readTheirs(ctx)
  const taken = theirs.filter((one) => one.at < moment)
  const owed = taken.filter(({ record }) => sourceState(record) === 'open')
  return {
    at: moment,
    refusal: await refusalOf(ctx, moment, theirs),
    owed: sumsOf(ctx, owed),
    paid: sumsOf(
      ctx,
      taken.filter(({ record }) => sourceState(record) === 'paid'),
    ),
    affiliates: new Set(owed.map(({ affiliateId }) => affiliateId)).size,
    voided: othersThan(taken, await readOurs(ctx, moment)).filter(({ cents }) => cents !== 0n).length,
  }
}

function sumsOf({ program }: ProgramCtx, theirs: readonly Theirs[]): Money[] {
  const sums = new Map<string, bigint>()
  for (const { record } of theirs) sums.set(record.currency, (sums.get(record.currency) ?? 0n) + record.amountCents)
  return [...sums].map(([currency, amountCents]) => ({ amountCents, currency })).sort(byCurrency(program.currency))
}

const refuseUnlessShadow = ({ program }: ProgramCtx): void => {
  if (!program.isShadow) throw refused('The program is not a shadow.')
}

const importsOf = ({ db, program }: ProgramCtx) =>
  db.import.findMany({ where: { programId: program.id }, orderBy: { startedAt: 'desc' } })

/** Why a shadow cannot end at a time; null if it can. */
async function refusalOf(ctx: ProgramCtx, at: Date, theirs: readonly Theirs[]): Promise<string | null> {
  const imports = await importsOf(ctx)
  if (imports.some(({ finishedAt }) => finishedAt === null))
    return 'An import is not complete. Run it to its end first.'
  const [last] = imports
  if (at > ctx.now()) return "The time can't be in the future."
  if (last && last.startedAt < at)
    return `The last import started before ${at.toISOString()}, so the balances of the other service may have changed since. Import once more, or choose a time before ${last.startedAt.toISOString()}.`
  const paidLater = theirs.filter((one) => one.at >= at && sourceState(one.record) === 'paid')
  return paidLater.length === 0
    ? null
    : `The other service has paid ${paidLater.length} commissions of sales since ${at.toISOString()}. Choose a later time.`
}

/** The sales here that the other service credited to nobody, or to another affiliate. */
function othersThan(theirs: readonly Theirs[], ours: readonly Ours[]): Ours[] {
  const creditedTo = new Map(theirs.flatMap(({ saleId, affiliateId }) => (saleId ? [[saleId, affiliateId]] : [])))
  return ours.filter(({ id, affiliateId }) => creditedTo.get(id) !== affiliateId)
}

/** Voids what the other service did not credit, or credited to others. Such sales give up their external id. */
async function voidOthers(ctx: ProgramCtx, ours: readonly Ours[], theirs: readonly Theirs[]): Promise<number> {
  const others = othersThan(theirs, ours)
  const credited = new Set(theirs.map(({ saleId }) => saleId))
  const programId = ctx.program.id
  for (let first = 0; first < others.length; first += voidedAtOnce) {
    const saleIds = others.slice(first, first + voidedAtOnce).map(({ id }) => id)
    const open = await ctx.db.commission.findMany({
      where: { programId, saleId: { in: saleIds }, voidedAt: null, paidAt: null },
      select: { id: true },
    })
    const ids = open.map(({ id }) => id)
    const reason = 'The service before this one did not credit the sale to this affiliate.'
    for (let next = 0; next < ids.length; next += voidedAtOnce)
      await voidCommissions({ ...ctx, isSilent: true }, { ids: ids.slice(next, next + voidedAtOnce), reason })
    const renamed = saleIds.filter((id) => credited.has(id))
    await ctx.db.$executeRaw`
      update sales set external_id = external_id || ' (shadow)'
      where program_id = ${programId}::uuid and id = any(${renamed}::uuid[]) and external_id not like '% (shadow)'`
    await nextOwnTurn()
  }
  return others.filter(({ cents }) => cents !== 0n).length
}

/** Imports what was kept for the comparison. A sale that is here already gets what the other service says of it. */
async function takeOver(ctx: ProgramCtx, theirs: readonly Theirs[]): Promise<Omit<EndedShadow, 'program' | 'voided'>> {
  const names = await externalIdsOf(
    ctx,
    theirs.flatMap(({ saleId }) => saleId ?? []),
  )
  const records = theirs.map(({ record, saleId }) => ({
    ...record,
    saleBillingId: names.get(saleId ?? '') ?? record.saleBillingId,
  }))
  // What is deducted from a sale comes after what it earned.
  const ordered = [
    ...records.filter(({ amountCents }) => amountCents >= 0n),
    ...records.filter(({ amountCents }) => amountCents < 0n),
  ]
  const scope = { ...ctx, isSilent: true, program: { ...ctx.program, isShadow: false, shadowEndedAt: null } }
  const notTakenOver: EndedShadow['notTakenOver'] = []
  let takenOver = 0
  for (let first = 0; first < ordered.length; first += batchSize) {
    const part = ordered.slice(first, first + batchSize)
    const results = await withTransaction(ctx.db, async (tx) => {
      const batch = newBatch(tx, scope, { madeProgram: false })
      await importCommissions(batch, part)
      await leaveOutSales(batch, part)
      await saveRecords(batch)
      return [...batch.results.values()]
    })
    for (const { kind, externalId, outcome, message } of results) {
      if (kind !== 'commission') continue
      if (outcome === 'left_out') notTakenOver.push({ externalId, message: message ?? '' })
      else takenOver += 1
    }
    await nextOwnTurn()
  }
  return { takenOver, notTakenOver }
}

async function externalIdsOf({ db, program }: ProgramCtx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.sale.findMany({
    where: { programId: program.id, id: { in: [...new Set(ids)] }, externalId: { not: null } },
    select: { id: true, externalId: true },
  })
  const own = rows.map(({ id, externalId }) => [id, externalId as string] as const)
  return new Map(own.map(([id, name]) => [id, name.replace(/ \(shadow\)$/, '')]))
}

async function finish(ctx: ProgramCtx, at: Date): Promise<Program> {
  const { id } = ctx.program
  const now = ctx.now()
  const program = await withTransaction(ctx.db, async (tx) => {
    const before = await tx.program.findUniqueOrThrow({ where: { id } })
    const after = await tx.program.update({
      where: { id },
      data: { isShadow: false, shadowEndedAt: at, updatedAt: now },
    })
    await recordProgramChange(tx, ctx, before, after, now)
    return after
  })
  forgetCachedPrograms(ctx.db)
  return program
}
