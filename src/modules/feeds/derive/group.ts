import type { Feed } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { recordLead } from '../../referrals/service.ts'
import { Unattributed } from '../../sales/report/attribute.ts'
import { reportConversion, simulateConversion } from '../../sales/report/service.ts'
import type { Fact, Payment, Who } from '../facts.ts'
import { fold, type Plan, type PlannedSale, type SourceEvent } from './fold.ts'
import { findOutcome, type Outcome, outcomeOfReturn, outcomes } from './outcomes.ts'
import {
  applySteps,
  namedIds,
  type RecordedSale,
  type RefundIds,
  type Step,
  stepsOf,
  withReturns,
} from './reconcile.ts'
import { amountOf, saleInput } from './sale-input.ts'

/** What would be done, for a dry run. */
export type Difference = { what: string; saleExternalId: string }

export type GroupOptions = {
  now: Date
  /** Notes what differs instead of applying it. */
  dryRun?: Difference[]
  /** The events whose customer is recorded as a lead already. */
  knownLeads: ReadonlySet<string>
}

type GroupCtx = ProgramCtx & { feed: Feed; options: GroupOptions; refunds: RefundIds }

/** Derives what the events of one customer say together. @returns the outcome of each event */
export async function deriveGroup(
  program: ProgramCtx,
  feed: Feed,
  events: readonly SourceEvent[],
  options: GroupOptions,
): Promise<Map<string, Outcome>> {
  const plan = fold(await withCodes(program, feed, events), options.now)
  const ctx = { ...program, feed, options, refunds: await refundIdsOf(program, plan) }
  const results = outcomes()
  for (const planned of plan.sales) await deriveSale(ctx, planned, results.set)
  await deriveStrays(ctx, plan, results.set)
  for (const lead of plan.leads) results.set(lead.event, await deriveLead(ctx, lead))
  const hint = findOutcome(results.all)
  for (const event of plan.hints) results.set(event, hint)
  return results.all
}

/** Replaces ids of promotion codes by their codes, as far as events have named them. */
async function withCodes(
  { db, program }: ProgramCtx,
  feed: Feed,
  events: readonly SourceEvent[],
): Promise<SourceEvent[]> {
  const used = (fact: Fact) => ('who' in fact ? (fact.who.coupons ?? []) : [])
  const ids = [
    ...new Set(events.flatMap(({ facts }) => facts.flatMap(used)).filter((code) => /^(promo|dsc)_/.test(code))),
  ]
  if (ids.length === 0) return [...events]
  const where = { programId: program.id, feedId: feed.id, object: { in: ids.map((id) => `code:${id}`) } }
  const found = await db.feedObject.findMany({ where, include: { event: { select: { facts: true } } } })
  const codes = new Map<string, string>()
  for (const { event } of found)
    for (const fact of (event.facts ?? []) as Fact[]) if (fact.kind === 'code') codes.set(fact.id, fact.code)
  const named = (who: Who): Who => ({ ...who, coupons: who.coupons?.map((code) => codes.get(code) ?? code) })
  const translated = (fact: Fact): Fact => ('who' in fact ? { ...fact, who: named(fact.who) } : fact)
  return events.map((event) => ({ ...event, facts: event.facts.map(translated) }))
}

/** The recorded refunds of all sales of the plan, which can have refunds of each other from when less was known. */
async function refundIdsOf({ db, program }: ProgramCtx, plan: Plan): Promise<RefundIds> {
  const named = namedIds(plan)
  const programId = program.id
  const sale = { externalId: { in: plan.sales.flatMap(({ ids }) => ids) } }
  const where = { programId, OR: [{ sale }, { externalId: { in: [...named] } }] }
  const rows = await db.refund.findMany({ where, select: { externalId: true } })
  return { named, taken: new Set(rows.map(({ externalId }) => externalId)) }
}

const findSale = ({ db, program }: ProgramCtx, ids: readonly string[]): Promise<RecordedSale | null> =>
  db.sale.findFirst({
    where: { programId: program.id, externalId: { in: [...ids] } },
    include: withReturns,
    orderBy: { id: 'asc' },
  })

type SetOutcome = (event: string, outcome: Outcome) => void

async function deriveSale(ctx: GroupCtx, planned: PlannedSale, set: SetOutcome): Promise<void> {
  const { payment, voided } = planned
  let sale = await findSale(ctx, planned.ids)
  let outcome: Outcome
  if (sale) outcome = { outcome: 'sale', saleId: sale.id, reason: null }
  else if (planned.waitsFor)
    outcome = { outcome: 'waiting', reason: planned.waitsFor.what, again: planned.waitsFor.until ?? 'later' }
  else if (voided) outcome = { outcome: 'ignored', reason: voided.why }
  else if (isBeforeStart(ctx, payment)) outcome = { outcome: 'ignored', reason: beforeStart }
  else {
    outcome = await reportSale(ctx, planned)
    if (outcome.saleId) sale = await findSale(ctx, planned.ids)
  }
  for (const event of planned.paymentEvents) set(event, outcome)
  if (sale) {
    await apply(ctx, sale, stepsOf(sale, planned, BigInt(payment.totalCents), ctx.refunds))
  }
  for (const { event, fact } of planned.returnEvents) set(event, outcomeOfReturn(fact, sale?.id ?? null, outcome))
}

const isBeforeStart = ({ program: { shadowEndedAt } }: GroupCtx, { at }: Payment) =>
  shadowEndedAt !== null && new Date(at) < shadowEndedAt
const beforeStart = 'The sale is from before the end of the shadow, so it counts at the service before.'

async function apply(ctx: GroupCtx, sale: RecordedSale, steps: readonly Step[]): Promise<void> {
  const { dryRun } = ctx.options
  if (!dryRun) return applySteps(ctx, sale, steps)
  for (const step of steps) {
    const saleExternalId = sale.externalId ?? sale.id
    const what =
      step.do === 'refund'
        ? `would refund ${step.cents} (${step.externalId})`
        : step.do === 'reverse'
          ? `would reverse a refund: ${step.reason}`
          : `would ${step.do} the commission`
    // The commission may be held already.
    const isHeld = sale.commissions.every(({ heldReason, paidAt, voidedAt }) => heldReason || paidAt || voidedAt)
    if (step.do !== 'hold' || !isHeld) dryRun.push({ what, saleExternalId })
  }
}

/** Reports a sale by its own signals; if they lead to nobody, by the referral that the customer had before. */
async function reportSale(ctx: GroupCtx, { payment, who }: PlannedSale): Promise<Outcome> {
  const { dryRun } = ctx.options
  const report = (given: Who) => {
    const input = saleInput(payment, given, payment.id, ctx.feed.includes)
    return dryRun
      ? simulateConversion(ctx, input, async () => null)
      : reportConversion(ctx, input, { keepsUnattributed: false })
  }
  const before = who.customer === undefined ? undefined : await referralOfCustomer(ctx, who.customer)
  try {
    if (!who.referral && !who.coupons?.length && !who.email && !before) return unattributed
    const { saleId } = await report(who).catch((error) => {
      if (before === undefined || !isUnattributed(error)) throw error
      return report({ ...who, referral: before })
    })
    if (!dryRun) return { outcome: 'sale', saleId, reason: null }
    const what = `would report a sale of ${amountOf(payment, ctx.feed.includes)} ${payment.currency}`
    dryRun.push({ what, saleExternalId: payment.id })
    return { outcome: 'ignored', reason: 'A dry run records nothing.' }
  } catch (error) {
    if (!(error instanceof TributaryError)) throw error
    if (isUnattributed(error)) return { ...unattributed, reason: reasonOf(error) }
    if (error.code === 'INVALID_INPUT') return { outcome: 'failed', reason: reasonOf(error) }
    if (error.code === 'REFUSED') return { outcome: 'ignored', reason: reasonOf(error) }
    throw error
  }
}

/** A report without a usable signal is invalid input, but no mistake of the billing system. */
const isUnattributed = (error: unknown) => error instanceof Unattributed

const unattributed: Outcome = {
  outcome: 'ignored',
  reason: 'No active affiliate matches this sale: it has no referral, coupon or e-mail of a customer of an affiliate.',
  again: 'soon',
}

const reasonOf = (error: TributaryError): string =>
  error.problems.length > 0
    ? error.problems.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' ')
    : error.message

/** The referral that the customer became known with. */
async function referralOfCustomer({ db, program }: ProgramCtx, customer: string): Promise<string | undefined> {
  const where = { programId: program.id, billingCustomerId: customer }
  return (await db.referral.findFirst({ where, orderBy: { id: 'asc' }, select: { id: true } }))?.id
}

/** Refunds of sales that were reported otherwise, such as by the company's own code. */
async function deriveStrays(ctx: GroupCtx, { strays }: Plan, set: SetOutcome): Promise<void> {
  for (const { event, fact, ids } of strays) {
    const sale = await findSale(ctx, ids)
    if (!sale) {
      const what = 'of' in fact ? fact.of.join(', ') : ''
      const outcome: Outcome =
        fact.kind === 'void'
          ? { outcome: 'ignored', reason: `${fact.why} It was not paid before.` }
          : { outcome: 'waiting', reason: `Waits for the payment ${what}.`, again: 'later' }
      set(event, outcome)
      continue
    }
    const mine = strays.filter((one) => one.ids.some((id) => ids.includes(id)))
    const of = <K extends Fact['kind']>(kind: K) =>
      mine.flatMap((one) => (one.fact.kind === kind ? [one.fact as Extract<Fact, { kind: K }>] : []))
    const returned = { refunds: of('refund'), totals: of('refunded_total'), disputes: of('dispute') }
    const voided = of('void')[0] ?? null
    await apply(ctx, sale, stepsOf(sale, { ids, returned, voided }, sale.amountCents, ctx.refunds))
    set(event, outcomeOfReturn(fact, sale.id, { outcome: 'sale', reason: null, saleId: sale.id }))
  }
}

/** A trial makes the visitor a lead. */
async function deriveLead(ctx: GroupCtx, { event, lead, who }: Plan['leads'][number]): Promise<Outcome> {
  const what = `It is ${lead.what}, so no sale.`
  if (!who.referral)
    return { outcome: 'ignored', reason: `${what} No referral is known of the customer.`, again: 'soon' }
  if (!who.email) return { outcome: 'waiting', reason: `${what} Waits for the e-mail of the customer.`, again: 'later' }
  if (ctx.options.knownLeads.has(event)) return { outcome: 'lead', reason: what }
  if (ctx.options.dryRun) return { outcome: 'lead', reason: what }
  try {
    const { referral: referralId, email, name, customer: billingCustomerId } = who
    await recordLead(ctx, { referralId, email, name, billingCustomerId })
    return { outcome: 'lead', reason: what }
  } catch (error) {
    if (!(error instanceof TributaryError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL') throw error
    return { outcome: 'ignored', reason: `${what} ${reasonOf(error)}` }
  }
}
