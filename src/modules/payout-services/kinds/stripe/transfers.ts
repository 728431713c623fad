import { toStripeUnits } from '../../../../kernel/money/stripe-units.ts'
import { stripeParts } from '../../../payout-methods/stripe/address.ts'
import { type Json, listOf, objectOf, textOf } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import type { BatchToSend, Heard, HeardPage, Money, Onboarding, PaymentToSend, SentBatch, Steps } from '../kind.ts'
import { type Credentials, codeOf, ofStripe, refusedBy, type Stripe, wordsOf } from './calls.ts'
import { noBalance, refusal, sendEach } from './payments.ts'
import { transferOf, unitsOf } from './read-transfers.ts'

// Connect: transfers to connected accounts of a platform, by API v1.
// Source: Stripe's reference of transfers, reversals, balances and accounts, read in November 2026.

const transfers = '/v1/transfers'
const pageSize = 100

/** Refusals that are about the payee. */
const ofPayee = /^(account_|resource_missing|transfers_not_allowed|insufficient_capabilities)/

export const paysConnected = ({ credentials }: Stripe): boolean => credentials.payees === 'connected_accounts'

async function taken(access: Stripe, path: string): Promise<Json> {
  const { status, body } = await ofStripe(access, { method: 'GET', path })
  if (status >= 300) throw refusedBy(body, status)
  return body
}

/** The platform, and what its balance has. @throws ServiceProblem */
export async function platformOf(access: Stripe): Promise<{ id: string; balances: Money[] }> {
  const { id } = await taken(access, '/v1/account')
  const { available } = await taken(access, '/v1/balance')
  return { id: `${textOf(id) ?? 'platform'}, connected accounts`, balances: listOf(available).flatMap(unitsOf) }
}

/** Transfers are in the group of their batch, so that an earlier try is found however old it is. */
async function* listGroup(access: Stripe, group: string): AsyncIterable<Heard[]> {
  for (let after: string | null = ''; after !== null; ) {
    const query = new URLSearchParams({ transfer_group: group, limit: String(pageSize) })
    if (after !== '') query.set('starting_after', after)
    const { data, has_more: hasMore } = await taken(access, `${transfers}?${query}`)
    const page = listOf(data)
    yield page.flatMap(transferOf)
    after = hasMore === true ? textOf(page.at(-1)?.id) : null
  }
}

/** Makes the transfers of a batch, but those that an earlier try has made. @throws ServiceProblem */
export async function sendTransfers(access: Stripe, batch: BatchToSend, steps: Steps): Promise<SentBatch> {
  const made = new Map<string | null, Heard>()
  if (steps.serviceId !== null)
    for await (const page of listGroup(access, batch.ourId)) {
      await steps.next('while looking')
      for (const one of page) if (one.state === 'paid') made.set(one.ourId, one)
    }
  await steps.next('before keeping')
  await steps.keep(batch.ourId)
  return sendEach(batch, steps, async (payment) => made.get(payment.ourId) ?? create(access, batch, payment))
}

async function create(
  access: Stripe,
  { ourId: group, program }: BatchToSend,
  { ourId, recipient, cents, currency }: PaymentToSend,
): Promise<Heard> {
  const value = toStripeUnits(cents, currency)
  if (value === null)
    return refusal(ourId, 'amount_not_whole', `Stripe pays ${currency.toUpperCase()} in whole units only.`)
  const { account, payoutMethod } = stripeParts(recipient)
  if (payoutMethod !== null)
    return refusal(
      ourId,
      'not_connected',
      'The payee is a recipient of Global Payouts, and not a connected account: enter the id of the account alone.',
    )
  const { status, body } = await ofStripe(access, {
    method: 'POST',
    path: transfers,
    idempotencyKey: ourId,
    form: {
      amount: String(value),
      currency,
      destination: account,
      description: `${program.name}: affiliate payout`.slice(0, 200),
      transfer_group: group,
      'metadata[tributary_payment]': ourId,
      'metadata[tributary_batch]': group,
    },
  })
  if (status < 300) {
    const [transfer] = transferOf(body)
    if (!transfer) throw new ServiceProblem('unanswered', 'Stripe took the transfer, but did not say its id.')
    return { ...transfer, ourId }
  }
  const code = codeOf(body)
  if (code === 'balance_insufficient') throw noBalance(cents, currency)
  if (!ofPayee.test(code)) throw refusedBy(body, status)
  return refusal(ourId, code, wordsOf(body))
}

export async function* askForTransfers(access: Stripe, groups: readonly string[]): AsyncIterable<HeardPage> {
  for (const serviceId of groups)
    for await (const payments of listGroup(access, serviceId))
      yield { ourId: serviceId, serviceId, word: 'created', payments, rest: null }
}

/** The transfer of an event, as it is now. Empty if it is not of this platform. @throws ServiceProblem */
export async function transferOfEvent(access: Stripe, event: Json): Promise<Heard[]> {
  const id = textOf(objectOf(objectOf(event.data).object).id)
  if (id === null || !textOf(event.type)?.startsWith('transfer.')) return []
  const { status, body } = await ofStripe(access, { method: 'GET', path: `${transfers}/${encodeURIComponent(id)}` })
  if (status === 404) return []
  if (status >= 300) throw refusedBy(body, status)
  return transferOf(body)
}

const noPage = () => {
  throw new ServiceProblem(
    'refused',
    'The program pays connected accounts of Stripe, which it enters itself: give it the id of yours.',
  )
}

/** Connected accounts belong to the platform, which has onboarded them. */
export const connectedAccounts: Onboarding<Credentials> = {
  hasPage: () => false,
  create: noPage,
  link: noPage,
  async verify(access, address) {
    const path = `/v1/accounts/${encodeURIComponent(stripeParts(address).account)}`
    const { status, body } = await ofStripe(access, { method: 'GET', path })
    if (status === 403 || status === 404)
      return { isReady: false, missing: 'an account that is connected to yours', address }
    if (status >= 300) throw refusedBy(body, status)
    const isReady = objectOf(body.capabilities).transfers === 'active'
    const { currently_due: due } = objectOf(body.requirements)
    const asked = Array.isArray(due) ? due.flatMap((one) => textOf(one) ?? []).slice(0, 5) : []
    return { isReady, missing: isReady ? null : asked.join(', ') || 'the capability of transfers', address }
  },
}
