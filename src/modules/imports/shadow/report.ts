import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Fact } from '../../feeds/facts.ts'
import { type Accepted, readAccepted } from './accept.ts'
import { type Comparison, compare, explainDifference, type LeftOut, type SaleDifference } from './compare.ts'
import { readOurs, readTheirs } from './read-sales.ts'

export type Explained = SaleDifference & { text: string; affiliateEmail: string; accepted: Accepted | null }
export type ReportMonth = Comparison['months'][number] & {
  affiliateEmail: string
  /** The differences of the affiliate in the month that are not accepted. */
  open: number
}
export type ShadowReport = Pick<Comparison, 'agreeing'> & {
  months: ReportMonth[]
  /** How many differences are not accepted, and the first of them. */
  differing: number
  differences: Explained[]
  accepted: number
  acceptedDifferences: Explained[]
}

/** The differences that are explained, the first by their sales. */
const mostDifferences = 1_000

/** Compares what a program computed with what imports brought from the other service. Nothing is changed. */
export async function readShadowReport(ctx: ProgramCtx): Promise<ShadowReport> {
  const [ours, theirs] = [await readOurs(ctx), await readTheirs(ctx)]
  const { months, differences, agreeing } = compare(ours, theirs)
  const acceptances = await readAccepted(ctx, differences)
  const [accepted, open] = [true, false].map((is) => differences.filter(({ id }) => acceptances.has(id) === is)) as [
    SaleDifference[],
    SaleDifference[],
  ]
  const shown = [open, accepted].flatMap((some) => some.slice(0, mostDifferences))
  const names = await emailsOf(ctx, [
    ...months.map(({ affiliateId }) => affiliateId),
    ...shown.flatMap(({ theirAffiliateId }) => theirAffiliateId ?? []),
  ])
  const signals = new Map(ours.map(({ id, attributedBy }) => [id, attributedBy]))
  const leftOut = await readLeftOut(ctx, shown)
  const ignored = await readIgnored(ctx, shown)
  const nameOf = (id: string) => names.get(id) ?? id
  const openByMonth = countByMonth(open)
  const explained = shown.map((one) => ({
    ...one,
    affiliateEmail: nameOf(one.affiliateId),
    accepted: acceptances.get(one.id) ?? null,
    text: explainDifference(one, {
      names,
      signal: signals.get(one.saleId ?? ''),
      leftOut: leftOut.get(one.saleId ?? ''),
      ignored: ignored.get(one.externalId ?? ''),
    }),
  }))
  return {
    agreeing,
    months: months.map((month) => ({
      ...month,
      affiliateEmail: nameOf(month.affiliateId),
      open: openByMonth.get(monthKey(month.affiliateId, month)) ?? 0,
    })),
    differing: open.length,
    differences: explained.filter((one) => one.accepted === null),
    accepted: accepted.length,
    acceptedDifferences: explained.filter((one) => one.accepted !== null),
  }
}

const monthKey = (affiliateId: string, { month, currency }: { month: string; currency: string }) =>
  `${affiliateId} ${month} ${currency}`

/** Counts differences by affiliate and month. One about two affiliates counts for both. */
function countByMonth(differences: readonly SaleDifference[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of differences)
    for (const affiliateId of new Set([one.affiliateId, one.theirAffiliateId ?? one.affiliateId])) {
      const key = monthKey(affiliateId, one)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return counts
}

async function emailsOf({ db, program }: ProgramCtx, ids: readonly string[]): Promise<Map<string, string>> {
  const where = { programId: program.id, id: { in: [...new Set(ids)] } }
  const rows = await db.affiliate.findMany({ where, select: { id: true, email: true } })
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** What the events of a feed say about sales of another amount: taxes, shipping, discounts. */
async function readLeftOut(ctx: ProgramCtx, shown: readonly SaleDifference[]): Promise<Map<string, LeftOut>> {
  const ids = shown.flatMap(({ saleId, reason }) => (saleId && reason === 'other_sale_amount' ? saleId : []))
  const where = { programId: ctx.program.id, saleId: { in: ids } }
  const events = await ctx.db.feedEvent.findMany({ where, select: { saleId: true, facts: true } })
  return new Map(
    events.flatMap(({ saleId, facts }) => {
      const payment = ((facts ?? []) as Fact[]).find((fact) => fact.kind === 'payment')
      if (payment?.kind !== 'payment') return []
      const [tax, shipping, discount] = [payment.taxCents, payment.shippingCents, payment.discountCents].map(BigInt)
      return [[saleId as string, { tax: tax ?? 0n, shipping: shipping ?? 0n, discount: discount ?? 0n }] as const]
    }),
  )
}

/** Why a feed made no sale of a payment. */
async function readIgnored(ctx: ProgramCtx, shown: readonly SaleDifference[]): Promise<Map<string, string>> {
  const ids = shown.flatMap(({ externalId, reason }) => (externalId && reason === 'only_theirs' ? externalId : []))
  const where = { programId: ctx.program.id, object: { in: ids } }
  const found = await ctx.db.feedObject.findMany({ where, include: { event: { select: { reason: true } } } })
  return new Map(found.flatMap(({ object, event }) => (event.reason === null ? [] : [[object, event.reason] as const])))
}
