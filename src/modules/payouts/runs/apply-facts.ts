import { sqlWithin } from '../../../database/client/sql.ts'
import type { Payout, PayoutRun, PayoutRunItem, Prisma } from '../../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { markFailed, markPaid, readWithheld } from '../mark.ts'
import { correct, type Difference } from '../payments/correct.ts'
import { type NewFact, readFacts, recordFacts, type Said, unknownOf } from '../payments/facts.ts'
import { foldPayment, type KnownFact } from '../payments/fold.ts'
import { settleOpenPayouts } from '../settle.ts'
import { settledWith, withheldWith } from '../withholding.ts'
import { asInFile, setSent } from './in-file.ts'
import { openItemStates } from './input.ts'
import { type Payment, setItems } from './steps.ts'

type Folded = Pick<PayoutRunItem, 'state' | 'goneCents'>
type Moved = { payment: Payment; after: Folded; said: Said }

/** What a change of a payment means for the books. */
type Step = 'pays' | 'beside' | 'differs' | 'comesBack' | 'waits' | 'frees' | 'nothing'

/**
 * Records facts of payments of a run, and lets payouts, commissions and debts follow. What left is recorded at its
 * amount, whatever became of the payout meanwhile: the difference is a debt or a balance. The caller holds the locks of
 * the run and of the affiliates, and has read the payments under them.
 * @returns the new states of the payments that changed
 * @throws REFUSED if an amount differs from a file that nobody has fetched
 */
export async function applyFacts(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  run: PayoutRun,
  facts: readonly { payment: Payment; said: readonly Said[] }[],
  now: Date,
): Promise<Map<string, PayoutItemState>> {
  const known = await readFacts(
    sqlWithin(tx),
    ctx.program.id,
    facts.map(({ payment }) => payment.id),
  )
  // A file that somebody fetched is out of our hands, and so is a run that was sent.
  const isOut = run.fetchedAt !== null || run.sentAt !== null
  const by: Record<Step, Moved[]> = {
    pays: [],
    beside: [],
    differs: [],
    comesBack: [],
    waits: [],
    frees: [],
    nothing: [],
  }
  const [added, changed]: [NewFact[], Moved[]] = [[], []]
  for (const { payment, said } of facts) {
    const before = known.get(payment.id) ?? []
    const fresh = unknownOf(said, before)
    const last = fresh.at(-1)
    if (!last) continue
    const after = foldPayment(payment.amountCents, [...before, ...fresh.map((one) => factOf(one, now))])
    if (!isOut && isAtAmount(payment, after)) asInFile(payment, payment.payout)
    const isKnown = after.state === payment.state && after.goneCents === payment.goneCents
    // What says again what is known, without a time, is no fact of its own.
    if (isKnown && fresh.every(({ at }) => !at)) continue
    added.push(...fresh.map((one) => ({ ...one, ...factOf(one, now), itemId: payment.id })))
    const moved = { payment, after, said: last }
    if (!isKnown || said.some(({ reference, reason }) => reference || reason)) changed.push(moved)
    by[stepOf(payment, after)].push(moved)
  }
  await recordFacts(tx, ctx, added, now)
  await follow(tx, ctx, run, by, now)
  const extra = new Set(by.beside.map(({ payment }) => payment.id))
  const rows = changed.map(({ payment: { id, isExtra }, after, said: { reference, reason } }) => {
    const reported = { reference: reference ?? undefined, reason: reason ?? undefined }
    return { id, ...after, isExtra: after.goneCents > 0n && (isExtra || extra.has(id)), ...reported }
  })
  await setItems(tx, ctx, rows, now)
  await markFailed(
    tx,
    ctx,
    by.comesBack.flatMap(({ payment: { payout }, after, said }) =>
      payout && !payout.failedAt ? [{ payout, reason: reasonOf(after.state, said.reason) }] : [],
    ),
  )
  await settleCorrected(tx, ctx, by, now)
  return new Map(
    changed.flatMap(({ payment, after }) => (after.state === payment.state ? [] : [[payment.payoutId, after.state]])),
  )
}

/** What comes back without a time comes back now. A payment without a time left at some time before. */
const factOf = ({ kind, amountCents = null, at }: Said, now: Date): KnownFact => ({
  kind,
  amountCents,
  at: at ?? (kind === 'paid' || kind === 'sent' || kind === 'cancelled' ? null : now),
})

/** Whether the result says that the amount of the file is, or will be, paid. */
const isAtAmount = ({ state, goneCents }: Payment, after: Folded) =>
  (after.state === 'sent' && state !== 'sent') || (goneCents === 0n && after.goneCents > 0n)

const isOpen = (state: PayoutItemState) => openItemStates.some((open) => open === state)
const isKept = (state: PayoutItemState) => state === 'paid' || isOpen(state)

function stepOf(payment: Payment, after: Folded): Step {
  const { payout, isPaidByOther, state, amountCents, goneCents } = payment
  const canPay = payout && !payout.paidAt && !payout.failedAt && !isPaidByOther
  if (goneCents === after.goneCents && goneCents > 0n) return 'nothing'
  if (goneCents === 0n && after.goneCents > 0n) return canPay ? 'pays' : 'beside'
  if (goneCents > 0n && (after.goneCents > 0n || payment.isExtra)) return 'differs'
  if (goneCents > 0n) return 'comesBack'
  // A payout of 0, whose debts are all that was due, was paid without money.
  const isOfNothing = amountCents === 0n && payout?.paidAt && !isPaidByOther
  if (isOfNothing && isKept(state) && !isKept(after.state)) return 'comesBack'
  if (!canPay || !isOpen(state) || state === after.state) return 'nothing'
  if (after.state === 'cancelled') return 'frees'
  return isOpen(after.state) ? 'waits' : 'comesBack'
}

async function follow(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  run: PayoutRun,
  { pays, beside, differs, comesBack, waits, frees }: Record<Step, Moved[]>,
  now: Date,
): Promise<void> {
  const inPayout = pays.map((one): Difference => {
    const { id, amountCents } = one.payment.payout as Payout
    return { ...differenceOf(one, { settled: amountCents, withheld: 0n }), payout: { id, amountCents } }
  })
  const paidBefore = comesBack.flatMap(({ payment: { payout } }) => (payout?.paidAt ? payout.id : []))
  const booked = await readWithheld(tx, ctx.program.id, paidBefore)
  const apart = [
    ...beside.map((one) => differenceOf(one, { settled: 0n, withheld: 0n })),
    ...differs.map((one) => differenceOf(one, booksOf(one.payment, one.payment.goneCents))),
    // What differed before is settled again, so that all that the payout paid is due again.
    ...comesBack.flatMap((one) => {
      const { payment } = one
      const { payout } = payment
      if (!payout?.paidAt) return []
      const known = booksOf(payment, payment.goneCents)
      const withheld = booked.reduce((sum, { payoutId, cents }) => (payoutId === payout.id ? sum + cents : sum), 0n)
      const deltaCents = payout.amountCents - known.settled
      return { ...differenceOf(one, known), deltaCents, withheldCents: withheld - known.withheld }
    }),
  ]
  await correct(tx, ctx, [...inPayout, ...apart], now)
  await markPaid(
    tx,
    ctx,
    pays.map((one) => {
      const { payment, after, said } = one
      const { settled, withheld: withheldCents } = booksOf(payment, after.goneCents)
      const payout = { ...(one.payment.payout as Payout), amountCents: settled }
      return { payout, reference: said.reference ?? payment.reference ?? run.reference, withheldCents }
    }),
  )
  await setSent(
    tx,
    ctx,
    waits.flatMap(({ payment: { payout } }) => payout ?? []),
    now,
  )
  await setSent(
    tx,
    ctx,
    frees.flatMap(({ payment: { payout } }) => payout ?? []),
    now,
    null,
  )
}

/** What a payment settles when so much of it is gone, and what of that is withheld. */
type Books = { settled: bigint; withheld: bigint }

const booksOf = (payment: Payment, goneCents: bigint): Books => ({
  settled: settledWith(payment, goneCents),
  withheld: withheldWith(payment, goneCents),
})

/** @param known what the books have of the payment */
function differenceOf({ payment, after, said }: Moved, known: Books): Difference {
  const { settled, withheld } = booksOf(payment, after.goneCents)
  const deltaCents = settled - known.settled
  const reason =
    said.reason ??
    (after.goneCents === 0n
      ? 'A payment came back.'
      : deltaCents < 0n
        ? 'Less was paid than the payout.'
        : 'More was paid than was due.')
  return { item: payment, deltaCents, withheldCents: withheld - known.withheld, payout: null, reason }
}

/** Corrections that are due go into the open payouts, or change them. */
async function settleCorrected(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { pays, beside, differs, comesBack }: Record<Step, Moved[]>,
  now: Date,
): Promise<void> {
  const inPart = pays.filter(
    ({ payment, after }) => payment.payout?.amountCents !== settledWith(payment, after.goneCents),
  )
  const ids = [...inPart, ...beside, ...differs, ...comesBack].map(({ payment }) => payment.affiliateId)
  if (ids.length > 0) await settleOpenPayouts(tx, ctx, [...new Set(ids)], now)
}

const meanings: Partial<Record<PayoutItemState, string>> = { failed: 'failed', returned: 'was returned' }

/** Affiliates read it in the portal. */
const reasonOf = (state: PayoutItemState, reason: string | null | undefined) =>
  `the payment ${meanings[state] ?? 'did not arrive'}${reason ? `: ${reason}` : ''}`
