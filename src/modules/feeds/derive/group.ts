import type { Feed, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { heldReasonsOf } from '../../referrals/held-reasons.ts'
import { recordAliases } from '../../sales/aliases.ts'
import { Unattributed } from '../../sales/report/attribute.ts'
import { reportConversion, simulateConversion } from '../../sales/report-sale.ts'
import { keepSaleOfFeed, keepsOtherwise, type SaleOfFeed } from '../../sales/unattributed/of-feed.ts'
import type { Payment } from '../facts.ts'
import { changeRecorded, reportOf } from './change.ts'
import type { Change } from './differences.ts'
import type { Plan, PlannedSale } from './fold.ts'
import { soldItemsOf } from './items.ts'
import { deriveLead, type GroupOptions, reasonOf } from './lead.ts'
import { firstAttributed, type Missed, saleWithoutAffiliate } from './no-affiliate.ts'
import { comesLater, findOutcome, type Outcome, outcomeOfReturn, outcomes } from './outcomes.ts'
import { applySteps, type Step, stepsOf } from './reconcile.ts'
import { namedIds, type RecordedFacts, type RecordedSale, readRecordedFacts } from './recorded.ts'
import { returnedOf } from './returned.ts'
import { amountOf, type Named, saleInput } from './sale-input.ts'
import { couponsToReport, referralToReport, whyNobody } from './signals.ts'

type GroupCtx = ProgramCtx & {
  feed: Feed
  options: GroupOptions
  plan: Plan
  known: RecordedFacts
  hasReported: boolean
}

/**
 * Derives what the events of one customer say together. @param known read before, and again before a refund
 * @returns the outcome of each event
 */
export async function deriveGroup(
  program: ProgramCtx,
  feed: Feed,
  plan: Plan,
  known: RecordedFacts,
  options: GroupOptions,
): Promise<Map<string, Outcome>> {
  const ctx: GroupCtx = { ...program, feed, options, plan, known, hasReported: false }
  const results = outcomes()
  for (const planned of plan.sales) await deriveSale(ctx, planned, results.set)
  await deriveStrays(ctx, plan, results.set)
  for (const lead of plan.leads)
    results.set(lead.event, await deriveLead(ctx, lead, { signals: ctx.known.signals, options }))
  const hint = findOutcome(results.all)
  for (const event of plan.hints) results.set(event, hint)
  return results.all
}

type SetOutcome = (event: string, outcome: Outcome) => void

async function deriveSale(ctx: GroupCtx, planned: PlannedSale, set: SetOutcome): Promise<void> {
  const { payment, voided } = planned
  let sale = ctx.known.saleOf(planned.ids)
  let isNoted = false
  let keeps: SaleOfFeed | null = null
  let outcome: Outcome
  if (sale) {
    const changed = await changeRecorded(ctx, sale, planned, {
      feed: ctx.feed,
      signals: ctx.known.signals,
      named: namedIds(ctx.plan),
      dryRun: ctx.options.dryRun,
      read: async (before) => {
        ctx.known = await readRecordedFacts(ctx, [ctx.plan])
        return ctx.known.saleOf(planned.ids) ?? before
      },
    })
    sale = changed.sale
    const notes = [...notesOf(ctx, payment), ...twinsOf(ctx, sale, planned), ...changed.notes]
    outcome = { outcome: 'sale', saleId: sale.id, reason: reasonOfSale(notes) }
  } else if (planned.waitsFor)
    outcome = { outcome: 'waiting', reason: planned.waitsFor.what, again: planned.waitsFor.until ?? 'later' }
  // One that was paid before it became void is a sale that is refunded, also if both are known at once.
  else if (voided && payment.isBare) outcome = { outcome: 'ignored', reason: voided.why }
  else if (isBeforeStart(ctx, payment)) outcome = { outcome: 'ignored', reason: beforeStart }
  else {
    const reported = await reportSale(ctx, planned)
    outcome = reported.outcome
    sale = reported.sale
    isNoted = reported.isNoted ?? false
    keeps = reported.keeps ?? null
  }
  for (const event of planned.paymentEvents) set(event, outcome)
  if (sale && !isNoted && !ctx.options.dryRun) await noteAliases(ctx, sale, planned)
  if (!ctx.options.dryRun && keepsOtherwise(ctx, ctx.known.keptOf(planned.ids), keeps))
    await keepSaleOfFeed(ctx, planned.ids, keeps)
  if (sale) await reconcile(ctx, sale, planned, BigInt(payment.totalCents))
  for (const { event, fact } of planned.returnEvents) set(event, outcomeOfReturn(fact, sale?.id ?? null, outcome))
}

/** Notes the other ids of the payment, so that a report with one of them is of this sale. */
async function noteAliases(ctx: GroupCtx, sale: RecordedSale, { toldIds }: PlannedSale): Promise<void> {
  // A sale that was found by a guess has none of the ids: it may be another payment.
  const isOfIt = sale.externalId !== null && (toldIds.includes(sale.externalId) || toldIds.some(ctx.known.isAlias))
  if (isOfIt) await recordAliases(ctx, sale, openIds(ctx, toldIds, sale.externalId))
}

/** The other ids of a payment that are of no sale. */
const openIds = ({ known }: GroupCtx, toldIds: readonly string[], externalId: string | null): string[] =>
  toldIds.filter((id) => id !== externalId && known.saleOf([id]) === null)

const isBeforeStart = ({ program: { shadowEndedAt } }: GroupCtx, { at }: Payment) =>
  shadowEndedAt !== null && new Date(at) < shadowEndedAt
const beforeStart = 'The sale is from before the end of the shadow, so it counts at the service before.'

/** Applies what differs. If anything does, it is decided by what is recorded now. */
async function reconcile(
  ctx: GroupCtx,
  sale: RecordedSale,
  planned: Parameters<typeof stepsOf>[1],
  paidCents: bigint,
): Promise<void> {
  const steps = (of: RecordedSale) =>
    stepsOf(of, planned, paidCents, { named: namedIds(ctx.plan), taken: ctx.known.takenRefunds })
  if (steps(sale).length === 0) return
  ctx.known = await readRecordedFacts(ctx, [ctx.plan])
  const present = ctx.known.saleOf(planned.ids) ?? sale
  await apply(ctx, present, steps(present))
}

async function apply(ctx: GroupCtx, sale: RecordedSale, steps: readonly Step[]): Promise<void> {
  const { dryRun } = ctx.options
  if (!dryRun) return applySteps(ctx, sale, steps)
  for (const step of steps) {
    const saleExternalId = sale.externalId ?? sale.id
    const what =
      step.do === 'refund'
        ? `would refund ${readableAmount(step.cents, sale.currency)} (${step.externalId})`
        : step.do === 'reverse'
          ? `would reverse a refund: ${step.reason}`
          : `would ${step.do} the commission`
    // The commission may be held already.
    const isHeld = sale.commissions.every((one) => heldReasonsOf(one).includes('dispute') || one.paidAt || one.voidedAt)
    if (step.do !== 'hold' || !isHeld) dryRun.add({ change: changeOf[step.do], what, saleExternalId })
  }
}

const changeOf = { refund: 'refund', reverse: 'reversal', hold: 'hold', release: 'release' } satisfies Record<
  Step['do'],
  Change
>

/** Sales that were reported of the same payment before events tied their ids together. A person has to decide. */
const twinsOf = ({ known }: GroupCtx, { id, externalId }: RecordedSale, { toldIds }: PlannedSale): string[] => {
  const others = toldIds.filter((one) => one !== externalId && (known.saleOf([one])?.id ?? id) !== id)
  return others.length === 0
    ? []
    : [`The same payment was reported as another sale too: ${others.join(', ')}. Refund one of them`]
}

/** What the items of a sale lack of what was sent. */
const notesOf = ({ feed: { includes } }: GroupCtx, payment: Payment): string[] =>
  soldItemsOf(payment, amountOf(payment, includes)).notes
const reasonOfSale = (notes: readonly string[]) => (notes.length > 0 ? `${notes.join('. ')}.` : null)

/** `isNoted`: the sale was recorded with the other ids of its payment. `keeps`: it has no affiliate, and is kept. */
type ReportedSale = { outcome: Outcome; sale: RecordedSale | null; isNoted?: boolean; keeps?: SaleOfFeed }

/**
 * Reports a sale by its own signals; if they lead to nobody, by the referral that the customer had before. Each address
 * is tried.
 */
async function reportSale(ctx: GroupCtx, planned: PlannedSale): Promise<ReportedSale> {
  const { payment, who, ids } = planned
  const { dryRun } = ctx.options
  const { signals } = ctx.known
  const at = new Date(payment.at)
  const { customer, name, emails } = who
  const coupons = couponsToReport(who, signals, at)
  const referral = referralToReport(who, signals, at)
  const notes = notesOf(ctx, payment)
  const aliases = planned.toldIds.includes(payment.id) ? openIds(ctx, planned.toldIds, payment.id) : []
  const feed = reportOf(ctx.feed, planned, ctx.feed.includes)
  const dropped = notes.map((problem) => ({ field: 'items', problem }))
  /** The sale as a real run would record it, so that its refunds are found too. */
  let simulated: RecordedSale | null = null
  const given = { customer, name, coupons, agents: who.agents }
  const inputOf = (one: Pick<Named, 'referral' | 'email'>) =>
    saleInput(payment, { ...given, ...one }, payment.id, ctx.feed.includes)
  const misses: Missed[] = []
  const report = async (one: Pick<Named, 'referral' | 'email'>) => {
    const input = inputOf(one)
    try {
      if (!dryRun) return await reportConversion(ctx, input, { keepsUnattributed: false, dropped, feed, aliases })
      simulated = (await simulateConversion(ctx, input, readSale)).rows
      return null
    } catch (error) {
      if (error instanceof Unattributed) misses.push({ raw: input, signals: error.signals })
      throw error
    }
  }
  const none = (outcome: Outcome): ReportedSale => ({ outcome, sale: null })
  const unattributed = (): ReportedSale => {
    const reason = `${nobody}: ${whyNobody(who, signals, at)}.`
    const heardAt = new Date(ctx.now().getTime() - (ctx.options.now.getTime() - planned.heardAt.getTime()))
    const keeps = saleWithoutAffiliate(misses, inputOf({}), {
      dropped,
      feed,
      heardAt,
      now: ctx.now(),
      program: ctx.program,
    })
    return { ...none({ outcome: 'ignored', reason, again: 'soon' }), ...(keeps && { keeps }) }
  }
  const before = await referralOfCustomer(ctx, customer)
  try {
    if (!referral && coupons.length === 0 && who.agents.length === 0 && emails.length === 0 && !before)
      return unattributed()
    const attempts: Pick<Named, 'referral' | 'email'>[] = [
      ...(emails.length > 0 ? emails : [undefined]).map((email) => ({ referral, email })),
      ...(before === undefined ? [] : [{ referral: before, email: emails[0] }]),
    ]
    const reported = await firstAttributed(attempts, report)
    if (!reported) {
      const what = `would report a sale of ${readableAmount(amountOf(payment, ctx.feed.includes), payment.currency)}`
      dryRun?.add({ change: 'sale', what, saleExternalId: payment.id })
      return { outcome: { outcome: 'ignored', reason: 'A dry run records nothing.' }, sale: simulated }
    }
    ctx.hasReported = true
    const { saleId, recorded } = reported
    const commissions = recorded?.commission ? [recorded.commission] : []
    const sale = recorded
      ? { ...recorded.sale, refunds: [], commissions }
      : (await readRecordedFacts(ctx, [ctx.plan])).saleOf(ids)
    return { outcome: { outcome: 'sale', saleId, reason: reasonOfSale(notes) }, sale, isNoted: recorded !== undefined }
  } catch (error) {
    if (!(error instanceof TributaryError)) throw error
    if (error instanceof Unattributed) return unattributed()
    if (error.code === 'INVALID_INPUT') return none({ ...comesLater(payment, ctx.now()), reason: reasonOf(error) })
    if (error.code === 'REFUSED') return none({ outcome: 'ignored', reason: reasonOf(error) })
    throw error
  }
}

/** A sale inside of the transaction that recorded it. */
const readSale = (tx: Prisma.TransactionClient, id: string): Promise<RecordedSale | null> =>
  tx.sale.findFirst({ where: { id }, include: { refunds: true, commissions: true } })

const nobody = 'No active affiliate matches this sale'

/** The referral that the customer became known with, perhaps with a sale of this group. */
async function referralOfCustomer(ctx: GroupCtx, customer: string | undefined): Promise<string | undefined> {
  if (customer === undefined) return undefined
  const found = ctx.known.referralOf(customer)
  if (found !== undefined || !ctx.hasReported) return found
  return (await readRecordedFacts(ctx, [ctx.plan])).referralOf(customer)
}

/** Refunds of sales that were reported otherwise, such as by the company's own code. */
async function deriveStrays(ctx: GroupCtx, { strays }: Plan, set: SetOutcome): Promise<void> {
  const applied = new Set<Plan['strays'][number]>()
  for (const stray of strays) {
    const { event, fact, ids } = stray
    const sale = ctx.known.saleOf(ids)
    if (!sale) {
      const what = 'of' in fact ? fact.of.join(', ') : ''
      const outcome: Outcome =
        fact.kind === 'void'
          ? { outcome: 'ignored', reason: `${fact.why} It was not paid before.` }
          : { outcome: 'waiting', reason: `Waits for the payment ${what}.`, again: 'later' }
      set(event, outcome)
      continue
    }
    set(event, outcomeOfReturn(fact, sale.id, { outcome: 'sale', reason: null, saleId: sale.id }))
    if (applied.has(stray)) continue
    const mine = strays.filter((one) => one.ids.some((id) => ids.includes(id)))
    for (const one of mine) applied.add(one)
    const facts = mine.map((one) => one.fact)
    const voided = facts.find((one) => one.kind === 'void') ?? null
    await reconcile(ctx, sale, { ids, returned: returnedOf(facts), voided }, sale.amountCents)
  }
}
