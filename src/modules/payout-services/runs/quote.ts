import type { PayoutRun } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { payeeNameOf } from '../../payout-methods/payee.ts'
import { findPayoutRun } from '../../payouts/runs/find.ts'
import { refuseChanged } from '../../payouts/runs/in-file.ts'
import { refuseClosed } from '../../payouts/runs/mark.ts'
import { asRefusal, noteUse, type Opened } from '../access.ts'
import type { Quote } from '../kinds/kind.ts'
import type { ServiceSettings } from '../settings.ts'
import { refuseAboveLimits } from './limits.ts'
import { openServiceOf } from './send.ts'

export type RunQuote = Quote & {
  run: PayoutRun
  payments: number
  amountCents: bigint
  /** Null if the balance is not visible. */
  isEnough: boolean | null
}

/**
 * Asks the service what a run would cost, and whether the balance is enough. Nothing is sent, and nothing is written
 * but that the credentials were used.
 * @throws NOT_FOUND; REFUSED
 */
export async function quotePayoutRun(ctx: ProgramCtx, settings: ServiceSettings, id: string): Promise<RunQuote> {
  const run = await findPayoutRun(ctx, id)
  refuseClosed(run)
  const opened = await openServiceOf(ctx, settings, run)
  await refuseChanged(ctx, run)
  if (!run.handedOverAt) await refuseAboveLimits(ctx, settings, opened.row, run)
  const byAmount = await ctx.db.payoutRunItem.groupBy({
    by: ['amountCents'],
    where: { programId: ctx.program.id, runId: run.id, state: 'prepared' },
    _count: true,
  })
  const amounts = byAmount.map(({ amountCents: cents, _count: count }) => ({ cents, count }))
  const amountCents = amounts.reduce((sum, { cents, count }) => sum + cents * BigInt(count), 0n)
  const payments = amounts.reduce((sum, { count }) => sum + count, 0)
  const left = { cents: amountCents, currency: run.currency, program: ctx.program, amounts }
  const quote = await opened.kind.quote(opened.access, left).catch(async (error: unknown) => {
    await noteUse(ctx, opened, { use: 'quoted', runId: run.id }, error)
    throw asRefusal(error)
  })
  await noteUse(ctx, opened, { use: 'quoted', usedForPayments: payments, runId: run.id })
  const notReady = await verifyNewPayees(ctx, opened, run.id)
  const { balance, fee } = quote
  const isOurs = ctx.program.payoutFeeBearer === 'company'
  const needed = amountCents + (isOurs && fee?.currency === run.currency ? fee.cents : 0n)
  // What another currency costs is known when it was exchanged.
  const isOfRun = balance?.currency === run.currency
  const isEnough = isOfRun ? balance.cents >= needed : null
  const notes = [...notReady, ...quote.notes]
  if (balance && isEnough === false)
    notes.unshift(
      `The balance at ${opened.kind.name} is ${readableAmount(balance.cents, balance.currency)}, but the run needs ${readableAmount(needed, run.currency)}.`,
    )
  if (balance && !isOfRun) notes.push(`The balance that pays is ${readableAmount(balance.cents, balance.currency)}.`)
  return { ...quote, balance: isOfRun ? balance : null, notes, run, payments, amountCents, isEnough }
}

/** So many payees are verified before money moves: those who were never paid there. */
const mostVerified = 100

/** A sentence for each new payee whom the service cannot pay yet. */
async function verifyNewPayees(ctx: ProgramCtx, { kind, access }: Opened, runId: string): Promise<string[]> {
  const { onboarding } = kind
  if (!onboarding) return []
  const items = await ctx.db.payoutRunItem.findMany({
    where: { programId: ctx.program.id, runId, state: 'prepared', isNewRecipient: true },
    include: { affiliate: true },
    orderBy: { id: 'asc' },
    take: mostVerified,
  })
  const notes: string[] = []
  for (const { recipient, affiliate } of items) {
    const { isReady, missing } = await onboarding.verify(access, recipient ?? '').catch((error: unknown) => {
      throw asRefusal(error)
    })
    const name = payeeNameOf(affiliate) || affiliate.email
    if (!isReady) notes.push(`${kind.name} cannot pay ${name} yet: it asks for ${missing}.`)
  }
  return notes
}
