import { randomBytes } from 'node:crypto'
import { type Asked, type ServiceStandIn, startStandIn, type Told } from './stand-in.ts'

// A stand-in of PayPal's Payouts, made from its published reference. It moves no money, but keeps account of it.

type Amount = { value: string; currency: string }
type Item = {
  payout_item_id: string
  transaction_id: string
  transaction_status: string
  payout_batch_id: string
  sender_batch_id: string
  payout_item: { recipient_type: string; receiver: string; amount: Amount; note: string; sender_item_id: string }
  payout_item_fee: Amount
  currency_conversion?: { from_amount: Amount; to_amount: Amount; exchange_rate: string }
  time_processed: string
  errors?: { name: string; message: string }
}
type Batch = { id: string; ourId: string; created: string; status: string; items: Item[] }

export type PayPalStandIn = ServiceStandIn & {
  batches: Map<string, Batch>
  item(ourItemId: string): Item
}

const id = () => randomBytes(7).toString('hex').toUpperCase().slice(0, 13)
const centsOf = ({ value }: Amount) => Math.round(Number(value) * 100)
const signature = 'signed by the stand-in'

export type PayPalOptions = {
  port?: number
  clientId?: string
  clientSecret?: string
  webhookId?: string
  perSecond?: number
  /** Whether payments are done at once, or when `settle` is called. */
  isQuick?: boolean
}

/**
 * The address of a payee decides what happens: the account of `failed@…` is locked, `unclaimed@…` does not claim, a
 * batch with `invalid@…` is refused, `country@…` is where PayPal does not pay, `euro@…` gets another currency. All
 * others are paid.
 */
export async function startPayPal({
  clientId = 'stand-in',
  clientSecret = 'stand-in-secret',
  webhookId = 'WH-STAND-IN',
  isQuick = false,
  ...options
}: PayPalOptions = {}): Promise<PayPalStandIn> {
  const batches = new Map<string, Batch>()
  const balances: Record<string, number> = { USD: 100_000_000, EUR: 120_410 }
  const tokens = new Set<string>()
  const itemOf = (ourItemId: string): Item => {
    const found = [...batches.values()].flatMap(({ items }) => items).filter((item) => ofUs(item) === ourItemId)
    if (found.length !== 1) throw new Error(`The stand-in has ${found.length} payments with the id ${ourItemId}`)
    return found[0] as Item
  }
  const ofUs = (item: Item) => item.payout_item.sender_item_id
  const statusOf = ({ payout_item: { receiver } }: Item) =>
    /^(failed|country)/.test(receiver) ? 'FAILED' : receiver.startsWith('unclaimed') ? 'UNCLAIMED' : 'SUCCESS'
  const set = (item: Item, status: string, at: Date) => {
    item.transaction_status = status
    item.time_processed = at.toISOString().replace(/\.\d+Z$/, 'Z')
    if (status === 'FAILED' && item.payout_item.receiver.startsWith('country'))
      item.errors = { name: 'RECEIVER_COUNTRY_NOT_ALLOWED', message: 'The country of the receiver is not served.' }
    else if (status === 'FAILED')
      item.errors = { name: 'RECEIVER_ACCOUNT_LOCKED', message: 'The account of the receiver is locked.' }
    else if (status === 'UNCLAIMED')
      item.errors = { name: 'RECEIVER_UNREGISTERED', message: 'The receiver has no account.' }
    else delete item.errors
  }
  const settle = (at = new Date(), takenBefore = Number.POSITIVE_INFINITY) => {
    for (const batch of batches.values()) {
      if (Date.parse(batch.created) > takenBefore) continue
      for (const item of batch.items) if (item.transaction_status === 'PENDING') set(item, statusOf(item), at)
      if (batch.status === 'PENDING') batch.status = 'SUCCESS'
    }
  }
  const refusal = (status: number, name: string, message: string, more: object = {}): Told => ({
    status,
    body: { name, message, debug_id: id(), ...more },
  })

  const create = ({ text }: Asked): Told => {
    const { sender_batch_header: header, items } = JSON.parse(text)
    const ourId: string = header.sender_batch_id
    const known = [...batches.values()].find((batch) => batch.ourId === ourId)
    if (known)
      return refusal(400, 'USER_BUSINESS_ERROR', 'User business error.', {
        details: [{ field: 'SENDER_BATCH_ID', issue: `Batch with given sender_batch_id already exists: ${ourId}` }],
        links: [{ href: `${standIn.url}/v1/payments/payouts/${known.id}`, rel: 'self', method: 'GET' }],
      })
    const bad = (items as Item['payout_item'][]).flatMap(({ receiver }, index) =>
      receiver.startsWith('invalid') ? [{ field: `items[${index}].receiver`, issue: 'Receiver is invalid' }] : [],
    )
    if (bad.length > 0) return refusal(400, 'VALIDATION_ERROR', 'Invalid request - see details.', { details: bad })
    const sum = items.reduce((total: number, { amount }: { amount: Amount }) => total + centsOf(amount), 0)
    const currency: string = items[0].amount.currency
    if (sum > (balances[currency] ?? 0)) return refusal(422, 'INSUFFICIENT_FUNDS', 'Sender has insufficient funds.')
    balances[currency] = (balances[currency] ?? 0) - sum
    const now = new Date().toISOString()
    const batch: Batch = { id: id(), ourId, created: now, status: 'PENDING', items: [] }
    batch.items = items.map((payout_item: Item['payout_item']): Item => {
      const { amount, receiver } = payout_item
      const euros = { value: (Number(amount.value) * 0.9).toFixed(2), currency: 'EUR' }
      return {
        payout_item_id: id(),
        transaction_id: id(),
        transaction_status: 'PENDING',
        payout_batch_id: batch.id,
        sender_batch_id: ourId,
        payout_item,
        payout_item_fee: { value: '0.25', currency },
        time_processed: now,
        ...(receiver.startsWith('euro') && {
          currency_conversion: { from_amount: amount, to_amount: euros, exchange_rate: '0.9' },
        }),
      }
    })
    batches.set(batch.id, batch)
    if (isQuick) settle()
    return { status: 201, body: { batch_header: headerOf(batch) } }
  }
  const headerOf = ({ id: payout_batch_id, ourId, status, created }: Batch) => ({
    payout_batch_id,
    batch_status: status,
    time_created: created,
    sender_batch_header: { sender_batch_id: ourId },
  })

  const answer = (asked: Asked): Told => {
    const { method, path, query, headers, text } = asked
    if (path === '/v1/oauth2/token') {
      const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
      if (headers.authorization !== expected)
        return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } }
      const token = id()
      tokens.add(token)
      const scope = 'https://uri.paypal.com/payments/payouts https://uri.paypal.com/services/reporting/search/read'
      return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 3_600, scope } }
    }
    if (!tokens.has((headers.authorization ?? '').replace('Bearer ', '')))
      return { status: 401, body: { error: 'invalid_token' } }
    if (path === '/v1/reporting/balances') {
      const all = Object.entries(balances).map(([currency, cents]) => {
        const money = { currency_code: currency, value: (cents / 100).toFixed(2) }
        return { currency, total_balance: money, available_balance: money }
      })
      return { status: 200, body: { balances: all } }
    }
    if (path === '/v1/notifications/verify-webhook-signature') {
      const sent = JSON.parse(text)
      const isOurs = sent.webhook_id === webhookId && sent.transmission_sig === signature
      return { status: 200, body: { verification_status: isOurs ? 'SUCCESS' : 'FAILURE' } }
    }
    if (method === 'POST' && path === '/v1/payments/payouts') return create(asked)
    const [, , , kind, ofPath, action] = path.split('/')
    if (kind === 'payouts') {
      const batch = batches.get(ofPath ?? '')
      if (!batch) return refusal(404, 'INVALID_RESOURCE_ID', 'Requested resource ID was not found.')
      const size = Math.min(Number(query.get('page_size') ?? 1_000), 1_000)
      const page = Number(query.get('page') ?? 1)
      return {
        status: 200,
        body: {
          total_items: batch.items.length,
          total_pages: Math.ceil(batch.items.length / size),
          batch_header: headerOf(batch),
          items: batch.items.slice((page - 1) * size, page * size),
        },
      }
    }
    const item = [...batches.values()].flatMap(({ items }) => items).find((one) => one.payout_item_id === ofPath)
    if (kind !== 'payouts-item' || !item)
      return refusal(404, 'INVALID_RESOURCE_ID', 'Requested resource ID was not found.')
    if (action === 'cancel') {
      if (item.transaction_status !== 'UNCLAIMED')
        return refusal(400, 'ITEM_INCORRECT_STATUS', 'Only unclaimed items can be cancelled.')
      set(item, 'RETURNED', new Date())
    }
    return { status: 200, body: item }
  }

  const standIn = await startStandIn(answer, options)
  return Object.assign(standIn, {
    batches,
    balances,
    settle,
    item: itemOf,
    states: () =>
      [...batches.values()].flatMap(({ items }) =>
        items.map((item) => ({ ourId: ofUs(item), word: item.transaction_status })),
      ),
    change: (ourItemId: string, status: string, at = new Date()) => set(itemOf(ourItemId), status, at),
    moved() {
      const moved = new Map<string, number>()
      for (const item of [...batches.values()].flatMap(({ items }) => items)) {
        const { receiver, amount } = item.payout_item
        if (item.transaction_status !== 'SUCCESS') continue
        moved.set(receiver, (moved.get(receiver) ?? 0) + centsOf(amount))
      }
      return moved
    },
    notice(ourItemId: string) {
      const resource = itemOf(ourItemId)
      const event = {
        id: `WH-${id()}`,
        create_time: resource.time_processed,
        event_type: `PAYMENT.PAYOUTS-ITEM.${resource.transaction_status}`,
        resource_type: 'payouts_item',
        resource,
      }
      const headers = {
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': `${standIn.url}/certificate`,
        'paypal-transmission-id': id(),
        'paypal-transmission-sig': signature,
        'paypal-transmission-time': new Date().toISOString(),
      }
      return { body: JSON.stringify(event), headers }
    },
  })
}
