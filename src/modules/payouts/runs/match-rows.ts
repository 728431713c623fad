import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { type Client, giveWay, sliceSize } from '../../../kernel/slices.ts'
import { methods } from '../../payout-methods/all.ts'
import { digitsOf } from '../../payout-methods/payee.ts'
import type { ReportRow } from '../../payout-methods/report-row.ts'
import { unknownOf } from '../payments/facts.ts'
import { foldPayment, type KnownFact } from '../payments/fold.ts'
import { outcomeOf } from './outcome.ts'
import { readAmount } from './report-values.ts'
import type { Result } from './results.ts'

/** A row of the file that changed nothing, because it is of no payment of the run, or because of what the run knows. */
export type LeftOutRow = { line: number; text: string; reason: string }

/** A payment as the run knows it. Without an amount, amounts are not compared. */
export type ReportedItem = {
  id: string
  payoutId: string
  state: PayoutItemState
  currency: string
  amountCents: bigint
  goneCents: bigint
  facts: readonly KnownFact[]
}

type KnownItem = Pick<ReportedItem, 'payoutId' | 'state'> & Partial<ReportedItem>

/** `becomes`: the state of the payment after all rows. `isNews`: it differs from what is known. */
export type MatchedResult = Result & { becomes: PayoutItemState; isNews: boolean }

type RowResult = { row: ReportRow; result: Result }

const mostText = 200
/** Of one payment. It leaves, comes back and is corrected, a few times. */
const mostRows = 50

/**
 * Finds the payments of rows, and what the rows say of them. Rows of one payment count in the order of their dates. If
 * no dates order them and they differ, they contradict each other, and nothing of them is recorded.
 */
export async function matchRows(client: Client, rows: readonly ReportRow[], items: readonly KnownItem[]) {
  const unmatched: LeftOutRow[] = []
  const leaveOut = ({ line, cells }: ReportRow, reason: string): void => {
    unmatched.push({ line, text: cells.join(', ').slice(0, mostText), reason })
  }
  const itemOf = findItems(items)
  const said = new Map<KnownItem, RowResult[]>()
  let unchanged = 0
  for (const [index, row] of rows.entries()) {
    if (index % sliceSize === 0) await giveWay(client)
    const item = itemOf(row)
    if (typeof item === 'string') leaveOut(row, item)
    else if (row.state === null) leaveOut(row, `The status "${row.word.slice(0, mostText)}" is not known.`)
    else if (row.state === 'sent') unchanged += 1
    else {
      const problem = amountProblem(row, item)
      if (problem) leaveOut(row, problem)
      else addTo(said, item, { row, result: resultOf(row, row.state, item) })
    }
  }
  const results: MatchedResult[] = []
  for (const [index, [item, all]] of [...said].entries()) {
    if (index % sliceSize === 0) await giveWay(client)
    const [contradicting, refusal] = tooMany(all) ?? contradictionIn(all) ?? refusalOf(all, item) ?? [[], '']
    for (const { row } of contradicting) leaveOut(row, refusal)
    if (contradicting.length > 0) continue
    const ordered = inOrder(all).map(({ result }) => result)
    const { fresh, becomes, isNews } = effectOf(ordered, item)
    unchanged += isNews ? 0 : all.length
    results.push(...fresh.map((result) => ({ ...result, becomes, isNews })))
  }
  unmatched.sort((a, b) => a.line - b.line)
  return { results, unmatched, unchanged }
}

function addTo(said: Map<KnownItem, RowResult[]>, item: KnownItem, one: RowResult): void {
  const all = said.get(item)
  if (all) all.push(one)
  else said.set(item, [one])
}

/** Finds the payment that a row names, or says why there is none. */
function findItems(items: readonly KnownItem[]): (row: ReportRow) => KnownItem | string {
  const byReference = new Map(
    items.flatMap((item) => {
      const payout = { id: item.payoutId }
      const ofServices = Object.values(methods).flatMap(({ report }) => report.referencesOf?.(payout) ?? [])
      // What an API sent is known by the id of the payment.
      const ofApis = item.id === undefined ? [] : [digitsOf({ id: item.id })]
      return [payout.id, digitsOf(payout), ...ofServices, ...ofApis].map((reference) => [reference, item] as const)
    }),
  )
  return ({ cells }) => {
    const [item, other] = new Set(cells.flatMap((cell) => byReference.get(cell.toLowerCase()) ?? []))
    if (!item) return 'No payment of this run has an id of this row.'
    return other
      ? `The row has the ids of two payments, ${item.payoutId} and ${other.payoutId}. Correct the row.`
      : item
  }
}

/** A fee is known as one: it may be taken from the amount, or be part of it. Everything else is for a person. */
function amountProblem(row: ReportRow, { amountCents, currency }: KnownItem): string | null {
  if (amountCents === undefined || currency === undefined || row.state === 'failed' || row.state === null) return null
  const asked = readableAmount(amountCents, currency)
  const toDo = 'If that is what was paid, record it with its amount.'
  if (row.currency && row.currency !== currency && /^[a-z]{3}$/.test(row.currency))
    return `The row is ${row.amount} ${row.currency.toUpperCase()}, but the payment is ${asked}. ${toDo}`
  const amount = absolute(readAmount(row.amount, currency))
  if (amount === null || amount === amountCents) return null
  const fee = absolute(readAmount(row.fee, currency)) ?? 0n
  if (fee > 0n && (amount + fee === amountCents || amount - fee === amountCents)) return null
  return `The row is ${readableAmount(amount, currency)}, but the payment is ${asked}. ${toDo}`
}

const absolute = (cents: bigint | null) => (cents === null || cents >= 0n ? cents : -cents)

function resultOf({ at, reference, reason, isIncoming }: ReportRow, state: PayoutItemState, item: KnownItem): Result {
  // A booking of money that came in takes the payment back, whatever became of the booking's own status.
  const isReversal = isIncoming && state === 'paid'
  return {
    payoutId: item.payoutId,
    state: isReversal ? 'returned' : state,
    ...(isReversal && { isReversal }),
    ...(at && { at }),
    ...(reference !== undefined && { reference }),
    ...(reason !== undefined && { reason }),
  }
}

const kindOf = ({ result: { state, isReversal } }: RowResult) => (isReversal ? 'reversed' : state)

const tooMany = (all: readonly RowResult[]): [readonly RowResult[], string] | null =>
  all.length > mostRows ? [all, `The file has more than ${mostRows} rows of this payment.`] : null

/** Rows of one payment that say different things at no time that orders them. A reversal follows its payment. */
function contradictionIn(all: readonly RowResult[]): [readonly RowResult[], string] | null {
  const main = all.filter((one) => kindOf(one) !== 'reversed')
  const kinds = groupBy(main, kindOf)
  if (kinds.size < 2) return null
  const times = main.map((one) => [one.result.at?.getTime(), kindOf(one)] as const)
  const isOrdered = times.every(([at, kind]) => {
    return at !== undefined && times.every(([other, otherKind]) => other !== at || otherKind === kind)
  })
  if (isOrdered) return null
  const words = main.map(({ row: { word, line } }) => `"${word.slice(0, 50)}" in line ${line}`)
  return [all, `The file says ${words.slice(0, 5).join(' and ')} of this payment, and no date orders them.`]
}

/** Why nothing can be recorded of what contradicts what the run knows. */
function refusalOf(all: readonly RowResult[], item: KnownItem): [readonly RowResult[], string] | null {
  const refused = (refusal: string): [readonly RowResult[], string] => [all, `The payout ${item.payoutId} ${refusal}`]
  if (item.state === 'cancelled' && all.some(({ result }) => result.state === 'paid')) return null
  const isUndated = all.some(({ result: { at } }) => !at)
  const says = [...new Set(all.map(({ result }) => result.state))]
  const outcomes = says.map((state) => outcomeOf(item.state, state))
  const refusal = outcomes.find((one) => typeof one !== 'string')
  if (!refusal || typeof refusal === 'string') return null
  if (item.state === 'cancelled' || (isUndated && says.length === 1)) return refused(refusal.refusal)
  // A payment that failed was not paid before: a person has to say which of both is right.
  const { becomes } = effectOf(
    inOrder(all).map(({ result }) => result),
    item,
  )
  return item.state === 'failed' && becomes === 'failed' && !says.includes('failed') ? refused(refusal.refusal) : null
}

const inOrder = (all: readonly RowResult[]): RowResult[] =>
  all.toSorted((a, b) => {
    const [from, to] = [a.result.at?.getTime(), b.result.at?.getTime()]
    if (from !== undefined && to !== undefined && from !== to) return from - to
    return Number(kindOf(a) === 'reversed') - Number(kindOf(b) === 'reversed')
  })

/** What of the results is not known yet, and what the payment becomes by them. */
function effectOf(results: readonly Result[], { state, goneCents, amountCents = 0n, facts }: KnownItem) {
  const said = results.map((result) => ({ result, kind: result.isReversal ? ('reversed' as const) : result.state }))
  const asFact = ({ result: { at, amountCents: cents }, kind }: (typeof said)[number]): KnownFact => {
    return { kind: kind === 'prepared' ? 'sent' : kind, at: at ?? null, amountCents: cents ?? null }
  }
  const before = facts && facts.length > 0 ? facts : assumed(state)
  const fresh = said.filter((one) => unknownOf([asFact(one)], before).length > 0)
  const last = new Date(8.64e15)
  const after = foldPayment(amountCents, [
    ...before,
    ...fresh.map(asFact).map((fact) => (fact.at || fact.kind === 'paid' ? fact : { ...fact, at: last })),
  ])
  const isNews = after.state !== state || (goneCents !== undefined && after.goneCents !== goneCents)
  const isTold = isNews || fresh.some(({ result }) => result.at)
  return { fresh: isTold ? fresh.map(({ result }) => result) : [], becomes: after.state, isNews }
}

/** The facts of a payment of which only the state is known. */
const assumed = (state: PayoutItemState): KnownFact[] =>
  state === 'prepared' ? [] : [{ kind: state, at: null, amountCents: null }]
