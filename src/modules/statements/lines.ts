import type { Json } from '../../kernel/canonical-json.ts'
import { plainWhy } from '../../texts/why.ts'
import { type Booked, type BookedState, bookedOf, owed, type Span, termsAt } from './book.ts'
import { calculationOf, ruleOf, type Versions } from './calculation.ts'
import { type DisclosedText, disclosedText, saltedHash } from './hashes.ts'
import type { LineKind, Untold } from './line-kinds.ts'
import { monthAt } from './months.ts'
import type { FruitlessSale, LedgerCommission, LedgerPayout } from './read-ledger.ts'
import { signedText } from './texts.ts'

export type Line = Untold & { text: string }

/** Where a line stands: by the time of booking, then by the id of the fact. A move to another affiliate comes first. */
type Placed = { bookedAt: number; key: string; line: Untold; reason?: string }

export type BookedMonth = {
  currency: string
  lines: Line[]
  /** By the name of the hash: `lines.3.reason`. */
  disclosed: Record<string, DisclosedText>
  sumCents: bigint
}

/** What the lines of an affiliate are made from. */
export type Source = {
  affiliateId: string
  commissions: readonly LedgerCommission[]
  sales: readonly FruitlessSale[]
  span: Span
  timeZone: string
  versions: Versions
}

/** The lines of an affiliate in a time, by currency, in the order of booking. */
export function linesOf(source: Source): BookedMonth[] {
  const byCurrency = new Map<string, Placed[]>()
  const add = (currency: string, placed: readonly Placed[]) => {
    if (placed.length > 0) byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), ...placed])
  }
  const payments: Payment[] = []
  for (const commission of source.commissions) {
    const booked = bookedOf(commission, source.affiliateId, source.span)
    for (const one of booked)
      if (one.what === 'paid' || one.what === 'unpaid') payments.push({ commission, booked: one })
    add(commission.currency, linesOfCommission(source, commission, booked))
  }
  for (const [currency, placed] of paymentLines(source, payments)) add(currency, placed)
  for (const sale of source.sales) add(sale.currency, [fruitlessLine(source, sale)])
  return [...byCurrency].map(([currency, placed]) => numbered(currency, placed))
}

function numbered(currency: string, placed: Placed[]): BookedMonth {
  placed.sort((a, b) => a.bookedAt - b.bookedAt || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const disclosed: Record<string, DisclosedText> = {}
  const lines = placed.map(({ line: untold, reason }, index): Line => {
    const number = index + 1
    const line = { ...untold, text: signedText(untold, currency) }
    if (reason === undefined) return { ...line, number }
    const text = disclosedText(reason)
    disclosed[`lines.${number}.reason`] = text
    return { ...line, number, reason: saltedHash(text) }
  })
  const sumCents = lines.reduce((sum, { amountCents }) => sum + BigInt(amountCents), 0n)
  return { currency, lines, disclosed, sumCents }
}

const stateJson = ({ amountCents, state }: BookedState): Json => ({ amountCents: String(amountCents), state })

const iso = (ms: number): string => new Date(ms).toISOString()

function kindOf({ kind, refundId }: LedgerCommission, { what, before, after, fact }: Booked): LineKind {
  switch (what) {
    case 'earned':
      if (refundId !== null) return after.amountCents < 0n ? 'refund' : 'refund_reversed'
      return kind === 'sale' ? 'commission' : kind
    // A debt of a refund is void when the refund is reversed.
    case 'voided':
      return fact?.refundId ? (before.amountCents < 0n ? 'refund_reversed' : 'refund') : 'cancelled'
    case 'unvoided':
      return fact?.refundId ? (after.amountCents < 0n ? 'refund' : 'refund_reversed') : 'restored'
    case 'refunded':
      return 'refund'
    case 'refund_reversed':
      return 'refund_reversed'
    case 'moved':
      return before.state === 'elsewhere' || before.state === 'none' ? 'moved_here' : 'moved_away'
    default:
      return what === 'amended' ? 'amended' : 'recalculated'
  }
}

function linesOfCommission(source: Source, commission: LedgerCommission, all: readonly Booked[]): Placed[] {
  const { span, timeZone, versions } = source
  const booked = all.filter(({ what }) => what !== 'paid' && what !== 'unpaid')
  const last = booked.at(-1)
  const { sale } = commission
  const occurredAt = sale ? termsAt(sale, sale.former, span.until).occurredAt : commission.occurredAt
  return booked.map((one) => {
    const kind = kindOf(commission, one)
    const { bookedAt, before, after, fact } = one
    const amount = owed(after) - owed(before)
    const calculation =
      one === last && after.state !== 'elsewhere' ? calculationOf(commission, after, span.until, versions) : null
    const month = monthAt(new Date(occurredAt), timeZone)
    const line: Untold = {
      kind,
      amountCents: String(amount),
      bookedAt: iso(bookedAt),
      month,
      commission: { id: commission.id, kind: commission.kind, before: stateJson(before), after: stateJson(after) },
      sale: sale && {
        id: sale.id,
        externalId: sale.externalId,
        amountCents: termsAt(sale, sale.former, span.until).amountCents,
        currency: sale.currency,
        occurredAt: iso(occurredAt),
      },
      ...(commission.corrects && {
        corrects: {
          id: commission.corrects.id,
          externalId: commission.corrects.externalId,
          occurredAt: iso(commission.corrects.occurredAt),
        },
      }),
      ...(calculation && { calculation }),
    }
    const reason = one.what === 'earned' ? reasonOf(commission) : undefined
    return { bookedAt, key: fact?.id ?? '', line, ...(reason !== undefined && { reason }) }
  })
}

/** Why a bonus or a correction was given. That of a correction by rules is without the name of the rule. */
function reasonOf({ kind, reason, correctsSaleId, ruleId }: LedgerCommission): string | undefined {
  if (reason === null || (kind !== 'bonus' && kind !== 'correction')) return undefined
  const by = correctsSaleId ? 'rules' : ruleId ? 'tiers' : null
  return by ? plainWhy({ code: 'corrected', by }) : reason
}

const paymentJson = ({ id, reference, method, fee, received }: LedgerPayout): Json => {
  return { id, reference, method, fee, received }
}

type Payment = { commission: LedgerCommission; booked: Booked }

/** One line for each payment, with the commissions that it paid, and one after it for what was withheld of them. */
function paymentLines({ timeZone }: Source, payments: readonly Payment[]): Map<string, Placed[]> {
  const groups = new Map<string, Payment[]>()
  for (const one of payments) {
    const { commission, booked } = one
    const of = booked.what === 'paid' ? (commission.payout?.id ?? '') : ''
    const key = `${commission.currency} ${booked.what} ${booked.bookedAt} ${of}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const lines = new Map<string, Placed[]>()
  for (const group of groups.values()) {
    const [first] = group as [Payment, ...Payment[]]
    const { currency, payout } = first.commission
    const { bookedAt, what } = first.booked
    const isPaid = what === 'paid'
    const amount = group.reduce((sum, { booked }) => sum + owed(booked.after) - owed(booked.before), 0n)
    const withheld = group.reduce((sum, { booked }) => sum + BigInt(booked.fact?.withheldCents ?? 0), 0n)
    const known = isPaid ? payout : null
    const key = first.booked.fact?.id ?? ''
    const common = {
      bookedAt: iso(bookedAt),
      month: monthAt(new Date(bookedAt), timeZone),
      payment: known && paymentJson(known),
    }
    const paid: Placed = {
      bookedAt,
      key,
      line: {
        ...common,
        kind: isPaid ? 'payment' : 'payment_returned',
        amountCents: String(amount + withheld),
        commissions: group.map(({ commission, booked }) => ({
          id: commission.id,
          before: stateJson(booked.before),
          after: stateJson(booked.after),
        })),
      },
    }
    // The sort is stable, so nothing comes between two lines of one time and key.
    const taxed: Placed[] =
      withheld === 0n ? [] : [{ bookedAt, key, line: { ...common, kind: 'withheld', amountCents: String(-withheld) } }]
    lines.set(currency, [...(lines.get(currency) ?? []), paid, ...taxed])
  }
  return lines
}

function fruitlessLine({ span, timeZone, versions }: Source, sale: FruitlessSale): Placed {
  const terms = termsAt(sale, sale.former, span.until)
  const reason = terms.noCommissionReason ?? 'amount_rounds_to_zero'
  const month = monthAt(new Date(terms.occurredAt), timeZone)
  const line: Untold = {
    kind: 'nothing',
    amountCents: '0',
    bookedAt: iso(sale.bookedAt),
    month,
    sale: {
      id: sale.id,
      externalId: sale.externalId,
      amountCents: terms.amountCents,
      currency: sale.currency,
      occurredAt: iso(terms.occurredAt),
    },
    rule: ruleOf(terms, terms.rule?.applied?.id ?? null, versions),
    nothingBecause: reason,
  }
  return { bookedAt: sale.bookedAt, key: sale.id, line }
}
