import { z } from 'zod'
import { described, optional, required, text } from '../../../../kernel/input/fields.ts'
import { readableAmount } from '../../../../kernel/money/decimals.ts'
import { paypalAmount } from '../../../payout-methods/paypal/paypal.ts'
import { eventOf, listOf, objectOf, textOf, timeOf } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import { payableFrom } from '../amounts.ts'
import { type BatchToSend, defineKind, type HeardBatch, type Money, nothingSaid } from '../kind.ts'
import { type Credentials, forgetToken, ofPayPal, type PayPal, refusedBy, tokenOf, wordsOf } from './calls.ts'
import { batchOf, isDuplicate, itemOf, linkOfDuplicate, moneyOf, paymentsOf } from './read.ts'

// Source: PayPal's reference of Payouts v1, OAuth 2, Webhooks v1 and Transaction Search v1, read in November 2026.

const pageSize = 1_000

async function send(access: PayPal, batch: BatchToSend): Promise<HeardBatch> {
  const { ourId, program, payments } = batch
  const subject = `${program.name}: affiliate payout`.slice(0, 255)
  const items = payments.map(({ ourId: id, recipient, cents, currency }) => ({
    recipient_type: 'EMAIL',
    receiver: recipient,
    amount: { value: paypalAmount(cents, currency), currency: currency.toUpperCase() },
    note: subject,
    sender_item_id: id,
  }))
  const { status, body } = await ofPayPal(access, {
    method: 'POST',
    path: '/v1/payments/payouts',
    headers: { 'paypal-request-id': ourId },
    body: JSON.stringify({ sender_batch_header: { sender_batch_id: ourId, email_subject: subject }, items }),
  })
  const taken = batchOf(body)
  if (status < 300 && taken) return taken
  if (status < 300) throw new ServiceProblem('unanswered', 'PayPal took the payments, but did not say their id.')
  const known = linkOfDuplicate(body)
  if (known !== null) {
    for await (const page of askForBatch(access, known)) if (page.ourId === null || page.ourId === ourId) return page
    throw new ServiceProblem('unanswered', `PayPal names the batch ${known}, which has another id of ours.`)
  }
  if (isDuplicate(body))
    throw new ServiceProblem('unanswered', 'PayPal has this batch already, but did not say which of its own it is.')
  if (textOf(body.name) === 'INSUFFICIENT_FUNDS' || /insufficient/i.test(wordsOf(body))) {
    const sum = payments.reduce((total, { cents }) => total + cents, 0n)
    const asked = readableAmount(sum, payments[0]?.currency ?? 'usd')
    throw new ServiceProblem(
      'refused',
      `The balance at PayPal is not enough for ${asked}. Add money there, and send again.`,
    )
  }
  throw refusedBy(body, status, paymentsOf(body, batch))
}

async function* ask(access: PayPal, serviceIds: readonly string[]) {
  for (const serviceId of serviceIds) yield* askForBatch(access, serviceId)
}

async function* askForBatch(access: PayPal, serviceId: string) {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = `page=${page}&page_size=${pageSize}&total_required=true`
    const path = `/v1/payments/payouts/${encodeURIComponent(serviceId)}?${query}`
    const { status, body } = await ofPayPal(access, { method: 'GET', path })
    const batch = batchOf(body)
    if (status >= 400 || !batch) throw refusedBy(body, status)
    const items = listOf(body.items)
    const total = Number(body.total_pages)
    // Without a total, a full page may have one after it.
    pages = Number.isFinite(total) && total > 0 ? total : items.length > 0 && items.length >= pageSize ? page + 1 : page
    const isOver = batch.word === 'DENIED' || batch.word === 'CANCELED'
    const at = timeOf(objectOf(body.batch_header).time_completed)
    const reason = `PayPal has ${batch.word === 'DENIED' ? 'denied' : 'cancelled'} the whole batch.`
    const rest =
      isOver && page === pages ? { ...nothingSaid, at, word: batch.word, state: 'failed' as const, reason } : null
    yield { ...batch, payments: items.map((item) => itemOf(item)), rest }
  }
}

/** "can pay EUR, balance 1,204.10" */
async function balancesOf(access: PayPal): Promise<Money[] | null> {
  const reply = await ofPayPal(access, { method: 'GET', path: '/v1/reporting/balances?currency_code=ALL' }).catch(
    (error: unknown) => {
      if (error instanceof ServiceProblem && error.kind !== 'unreachable') return null
      throw error
    },
  )
  if (!reply || reply.status >= 400) return null
  const all = listOf(reply.body.balances).map((one) => {
    const available = objectOf(one.available_balance ?? one.total_balance)
    return moneyOf({ currency: available.currency_code ?? one.currency, value: available.value })
  })
  return all.filter((one) => one !== null)
}

export const paypal = defineKind<Credentials>({
  name: 'PayPal',
  description: 'PayPal Payouts: sends runs of the method `PAYPAL`.',
  method: 'paypal',
  can: ['quote', 'send', 'cancel', 'ask', 'hear'],
  credentials: z.object({
    clientId: required(described(text(200), 'The client id of the REST app.')),
    clientSecret: required(described(text(200), 'The secret of the REST app.')),
    webhookId: optional(described(text(100), "The id of the app's webhook. Without it, webhooks are refused.")),
  }),
  // PayPal takes 15,000. With fewer, a lost answer leaves fewer payments unknown, and a pause holds sooner.
  mostInBatch: 400,
  protectsDays: 30,
  asksAtOnce: 1,
  async check(access) {
    forgetToken(access)
    await tokenOf(access)
    const balances = await balancesOf(access)
    const canPay =
      balances === null
        ? 'can pay; the balance is not visible, because the app may not use Transaction Search'
        : payableFrom('PayPal', balances)
    return { account: `PayPal app ${access.credentials.clientId.slice(0, 12)}`, canPay }
  },
  async quote(access, { currency, program }) {
    const balances = await balancesOf(access)
    const balance = balances?.find((one) => one.currency === currency) ?? null
    const notes = ['PayPal says its fee of each payment after it was made.']
    if (program.payoutFeeBearer === 'affiliate')
      notes.push('PayPal takes its fee from you, whoever bears fees otherwise.')
    if (balances === null) notes.push('The balance is not visible, because the app may not use Transaction Search.')
    return { fee: null, balance, exchangeRate: null, expiresAt: null, notes }
  },
  send,
  ask,
  async cancel(access, serviceId) {
    const path = `/v1/payments/payouts-item/${encodeURIComponent(serviceId)}`
    const { status, body } = await ofPayPal(access, { method: 'POST', path: `${path}/cancel`, body: '{}' })
    if (status < 300) return itemOf(body)
    // Its answer to an earlier try may have been lost: the item says what became of it.
    const now = await ofPayPal(access, { method: 'GET', path })
    const item = itemOf(now.body)
    if (now.status < 300 && item.state === 'returned') return item
    throw refusedBy(body, status)
  },
  async hear(access, { body, header }) {
    const { webhookId } = access.credentials
    if (!webhookId) return { refusal: 'The webhook id is not known: enter it with the credentials.' }
    const names = ['auth-algo', 'cert-url', 'transmission-id', 'transmission-sig', 'transmission-time'] as const
    const given = names.map((name) => header(`paypal-${name}`))
    if (given.some((value) => value === null)) return { refusal: 'The request has no signature of PayPal.' }
    const sent = Buffer.from(body).toString('utf8')
    const event = eventOf(sent)
    if (!event) return { refusal: 'The body is not JSON.' }
    const proof = Object.fromEntries(names.map((name, index) => [name.replace('-', '_'), given[index]]))
    const asked = JSON.stringify({ ...proof, webhook_id: webhookId })
    // The event is sent back byte for byte: written anew, its signature would not match.
    const check = await ofPayPal(access, {
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      body: `${asked.slice(0, -1)},"webhook_event":${sent}}`,
    })
    if (check.status >= 300 || textOf(check.body.verification_status) !== 'SUCCESS')
      return { refusal: 'PayPal says that the signature is not its own.' }
    const resource = objectOf(event.resource)
    const batch = batchOf(resource)
    if (batch) return { payments: [], batches: [batch] }
    const ofItem = { ourId: textOf(resource.sender_batch_id), serviceId: textOf(resource.payout_batch_id) }
    const { ourId, serviceId } = ofItem
    const batches = ourId !== null && serviceId !== null ? [{ ourId, serviceId, word: 'PROCESSING' }] : []
    return { payments: resource.payout_item_id ? [itemOf(resource, timeOf(event.create_time))] : [], batches }
  },
})
