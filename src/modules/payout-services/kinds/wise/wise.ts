import { z } from 'zod'
import { currency, described, optional, required, text } from '../../../../kernel/input/fields.ts'
import { ServiceProblem } from '../../problem.ts'
import { payableFrom } from '../amounts.ts'
import { defineKind, type HeardPage, nothingSaid, type Quote, type RunToQuote } from '../kind.ts'
import { type Credentials, refusedBy, type Wise } from './calls.ts'
import { hear, isPublicKey } from './hear.ts'
import { balancesOf, profileOf } from './profile.ts'
import { createQuote, sourceOf } from './quotes.ts'
import { heardOf, type Price } from './read.ts'
import { send } from './send.ts'
import { cancelTransfer, readGroup, transfersOf } from './transfers.ts'

// Source: Wise's reference of profiles, balances, quotes, recipients, batch groups, transfers and webhooks, read in
// November 2026.

/** A run with more different amounts is not quoted payment by payment. */
const mostQuotes = 50

async function* ask(access: Wise, serviceIds: readonly string[], since: Date): AsyncIterable<HeardPage> {
  for (const serviceId of serviceIds) yield* askForBatch(access, serviceId, since)
}

async function* askForBatch(access: Wise, serviceId: string, since: Date): AsyncIterable<HeardPage> {
  const profile = await profileOf(access)
  const group = await readGroup(access, profile, serviceId)
  const batch = { ourId: null, serviceId, word: group.word }
  for await (const own of transfersOf(access, profile, group, since))
    yield { ...batch, payments: own.map((transfer) => heardOf(transfer, null)), rest: null }
  if (group.word !== 'CANCELLED') return
  const rest = {
    ...nothingSaid,
    word: group.word,
    state: 'failed' as const,
    reason: 'The batch was cancelled at Wise.',
  }
  yield { ...batch, payments: [], rest }
}

async function quote(access: Wise, run: RunToQuote): Promise<Quote> {
  const { currency: ofRun, program, amounts } = run
  const profile = await profileOf(access)
  const source = sourceOf(access, program, ofRun)
  const balance = (await balancesOf(access, profile)).find((one) => one.currency === source) ?? {
    cents: 0n,
    currency: source,
  }
  const notes: string[] = []
  if (!profile.mayFund)
    notes.push(
      'Wise lets a token of this country prepare payments, but not fund them: a person funds each batch at Wise.',
    )
  if (program.payoutFeeBearer === 'affiliate') notes.push('Affiliates bear the fee: it is taken from what arrives.')
  const asked = amounts.length > mostQuotes ? [{ cents: run.cents, count: 1 }] : amounts
  if (asked !== amounts)
    notes.push('The fee depends on each amount, and is said after the payments: there are too many.')
  const prices: (Price & { count: bigint })[] = []
  for (const { cents, count } of asked) {
    const given = await createQuote(access, profile, { money: { cents, currency: ofRun }, program })
    if ('refusal' in given) throw refusedBy(given.refusal)
    prices.push({ ...given.price, count: BigInt(count) })
  }
  const ends = prices.flatMap(({ expiresAt }) => expiresAt?.getTime() ?? [])
  const fees = prices.flatMap(({ fee, count }) => (fee ? [fee.cents * count] : []))
  const isWhole = asked === amounts && fees.length === prices.length
  return {
    fee: isWhole ? { cents: fees.reduce((sum, cents) => sum + cents, 0n), currency: source } : null,
    balance,
    exchangeRate: source === ofRun ? null : (prices[0]?.rate ?? null),
    expiresAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
    notes,
  }
}

export const wise = defineKind<Credentials>({
  name: 'Wise',
  description: 'Wise: sends runs of the method `WISE` as batches of transfers to recipients by e-mail.',
  method: 'wise',
  can: ['quote', 'send', 'cancel', 'ask', 'hear'],
  credentials: z.object({
    token: required(described(text(200), 'The API token.')),
    profileId: optional(
      described(text(20), "The number of the business's profile. Needed only if the token sees several."),
    ),
    balanceCurrency: optional(
      described(currency(), 'The currency of the balance that pays. Without it, that of the run.'),
    ),
    webhookKey: optional(
      described(
        text(1_000).refine(isPublicKey, 'is not a public key'),
        "The public key that signs webhooks. Needed only for an address that is not Wise's.",
      ),
    ),
  }),
  mostInBatch: 1_000,
  // Transfers are found again by our ids, however old they are.
  protectsDays: null,
  asksAtOnce: 1,
  alsoAfter: { paid: ['failed'], returned: ['failed'], failed: ['returned'] },
  cancelsUnfunded: true,
  async check(access) {
    const profile = await profileOf(access, true)
    const balances = await balancesOf(access, profile)
    const pays = payableFrom('Wise', balances)
    return {
      account: `Wise profile ${profile.id}`,
      canPay: profile.mayFund ? pays : `${pays}; a person funds each batch at Wise`,
    }
  },
  quote,
  send,
  ask,
  async cancel(access, serviceId) {
    const transfer = await cancelTransfer(access, serviceId)
    if (transfer.word !== 'cancelled')
      throw new ServiceProblem('refused', `Wise did not cancel it: its state is ${transfer.word}.`)
    return heardOf(transfer, null)
  },
  hear,
})
