import { createHmac } from 'node:crypto'
import { type Asked, type ServiceStandIn, startStandIn, type Told, type Webhook } from './stand-in.ts'
import { type Account, createRecipients, id, refusal } from './stripe-recipients.ts'
import { createTransfers, type Transfer } from './stripe-transfers.ts'

// A stand-in of Stripe's Global Payouts, made from the published reference of API v2. It moves no money.

type Money = { value: number; currency: string }
type Payment = {
  id: string
  object: string
  from: { financial_account: string; debited: Money }
  to: { recipient: string; payout_method: string | undefined; credited: Money }
  amount: Money
  status: string
  status_transitions: Record<string, string>
  status_details: Record<string, { reason: string }> | null
  created: string
  description: string
  metadata: Record<string, string>
  trace_id: { status: string; value: string }
}
type NewPayment = {
  from: { financial_account: string }
  to: { recipient: string; payout_method?: string }
  amount: Money
  description: string
  metadata?: Record<string, string>
}
export type StripeStandIn = ServiceStandIn & {
  payments: Map<string, Payment>
  accounts: Map<string, Account>
  payment(ourPaymentId: string): Payment
  addRecipient(name: string): string
  /** The recipient gives another bank account, as on the page of Stripe. @returns the address */
  give(recipient: string): string
  /** An account that is connected to the platform. @returns its id */
  connect(name: string): string
  transfer(ourPaymentId: string): Transfer
  /** Idempotency keys of API v1 are kept for a day. */
  forgetKeys(): void
  reverse(ourPaymentId: string, amount: number, at?: Date): void
  /** The event of a transfer. */
  transferNotice(ourPaymentId: string, at?: Date): Webhook
  /** The thin event of an account that was changed. */
  accountNotice(recipient: string, at?: Date): Webhook
}

export type StripeOptions = {
  port?: number
  secretKey?: string
  webhookSecret?: string
  country?: string
  perSecond?: number
  balances?: Record<string, number>
}

const mostPage = 100

/** What the bank account of a payee gets. The name says its currency. */
function creditedOf(name: string, { value, currency }: Money): Money {
  if (name.includes('euro')) return { value: Math.round(value * 0.9), currency: 'eur' }
  // A yen has no hundredths.
  if (name.includes('yen')) return { value: Math.round(value * 1.5), currency: 'jpy' }
  return { value, currency }
}

/**
 * The name of a payee decides what happens: the payment to `failed` fails, that to `returned` comes back, `euro` gets
 * euros, `yen` yen, and `invalid`, `country` and `refused` are refused. All others are paid.
 */
export async function startStripe(options: StripeOptions = {}): Promise<StripeStandIn> {
  const { secretKey = 'rk_test_stand_in', webhookSecret = 'whsec_stand_in', country = 'US' } = options
  const balances: Record<string, number> = { USD: 1_000_000_000, EUR: 120_410, ...options.balances }
  const payments = new Map<string, Payment>()
  const people = createRecipients(() => standIn.url)
  const { accounts } = people
  const connect = createTransfers(balances)
  /** What was done for an idempotency key. Refusals are not kept: API v2 tries them again. */
  const done = new Map<string, { text: string; told: Told }>()

  const addToBalance = (currency: string, value: number) => {
    const name = currency.toUpperCase()
    balances[name] = (balances[name] ?? 0) + value
  }
  const set = (payment: Payment, status: string, at: Date) => {
    const before = payment.status
    payment.status = status
    payment.status_transitions[`${status}_at`] = at.toISOString()
    const reasons: Record<string, string> = { failed: 'payout_method_rejected', returned: 'payout_method_closed' }
    payment.status_details = reasons[status] ? { [status]: { reason: reasons[status] } } : null
    const isBack = (word: string) => word === 'failed' || word === 'returned' || word === 'canceled'
    if (isBack(status) && !isBack(before)) addToBalance(payment.amount.currency, payment.amount.value)
  }
  const settle = (at = new Date(), takenBefore = Number.POSITIVE_INFINITY) => {
    for (const payment of payments.values()) {
      if (payment.status !== 'processing' || Date.parse(payment.created) > takenBefore) continue
      const name = accounts.get(payment.to.recipient)?.display_name ?? ''
      set(payment, ['failed', 'returned'].find((end) => name.includes(end)) ?? 'posted', at)
    }
  }
  const payment = (ourId: string): Payment => {
    const found = [...payments.values()].find(({ metadata }) => metadata.tributary_payment === ourId)
    if (!found) throw new Error(`Stripe has no payment ${ourId}.`)
    return found
  }
  const create = (body: NewPayment): Told => {
    const account = accounts.get(body.to.recipient)
    const payoutMethod = body.to.payout_method ?? account?.payoutMethods.at(-1)
    if (!account || account.display_name.includes('invalid'))
      return refusal(400, 'recipient_not_found', 'The recipient is invalid.')
    if (!account.isReady) return refusal(400, 'feature_not_active', 'The recipient cannot receive payments yet.')
    if (account.display_name.includes('refused'))
      return refusal(400, 'recipient_not_allowed', 'The recipient cannot be paid.')
    if (account.display_name.includes('country'))
      return refusal(400, 'recipient_not_allowed', 'Payments to this country are not possible.')
    if (payoutMethod !== undefined && !account.payoutMethods.includes(payoutMethod))
      return refusal(400, 'payout_method_invalid', 'The recipient does not have this payout method any more.')
    const { value, currency } = body.amount
    if (value > (balances[currency.toUpperCase()] ?? 0))
      return refusal(400, 'insufficient_funds', 'The financial account has not enough.')
    addToBalance(currency, -value)
    const made: Payment = {
      id: id('obp'),
      object: 'v2.money_management.outbound_payment',
      from: { financial_account: body.from.financial_account, debited: { value, currency } },
      to: {
        recipient: account.id,
        payout_method: payoutMethod,
        credited: creditedOf(account.display_name, body.amount),
      },
      amount: { value, currency },
      status: 'processing',
      status_transitions: {},
      status_details: null,
      created: new Date().toISOString(),
      description: body.description,
      metadata: body.metadata ?? {},
      trace_id: { status: 'pending', value: '' },
    }
    payments.set(made.id, made)
    return { status: 200, body: structuredClone(made) }
  }

  const listPayments = (query: URLSearchParams): Told => {
    const from = query.get('created_gte') ?? ''
    const limit = Math.min(Number(query.get('limit') ?? 10), mostPage)
    const after = query.get('page')
    const all = [...payments.values()].filter(({ created }) => created >= from).toReversed()
    const start = after === null ? 0 : all.findIndex((one) => one.id === after) + 1
    const data = all.slice(start, start + limit)
    const hasMore = start + limit < all.length
    const next = new URLSearchParams({ limit: String(limit), created_gte: from, page: data.at(-1)?.id ?? '' })
    const next_page_url = hasMore ? `/v2/money_management/outbound_payments?${next}` : null
    return { status: 200, body: { data, next_page_url, previous_page_url: null } }
  }

  const answer = ({ method, path, query, headers, text }: Asked): Told => {
    const [, hosted, link = ''] = path.split('/')
    if (hosted === 'hosted') return people.hosted(method, link, text)
    if (headers.authorization !== `Bearer ${secretKey}`)
      return refusal(401, 'invalid_api_key', 'Invalid API Key provided.')
    if (headers['stripe-version'] === undefined) return refusal(400, 'version_missing', 'Name the version of the API.')
    const key = headers['idempotency-key']
    const known = typeof key === 'string' ? done.get(key) : undefined
    if (known)
      return known.text === text ? known.told : refusal(400, 'idempotency_error', 'Another request has this key.')
    const told = doIt(method, path, query, text)
    if (typeof key === 'string' && told.status < 300) done.set(key, { text, told })
    return told
  }
  const doIt = (method: string, path: string, query: URLSearchParams, text: string): Told => {
    const [, version, area, noun, ofPath, action] = path.split('/')
    if (version === 'v1') return connect.answer(method, path.split('/').slice(2), query, text)
    const body = method === 'POST' && text ? JSON.parse(text) : {}
    if (area === 'money_management' && noun === 'financial_accounts') {
      const money = ([name, value]: [string, number]) => {
        const currency = name.toLowerCase()
        return [currency, { value, currency }]
      }
      const available = Object.fromEntries(Object.entries(balances).map(money))
      const account = { id: 'fa_test_stand_in', status: 'open', type: 'storage', country, balance: { available } }
      if (ofPath && ofPath !== account.id) return refusal(404, 'not_found', 'No such financial account.')
      return { status: 200, body: ofPath ? account : { data: [account], next_page_url: null } }
    }
    if (area === 'money_management' && noun === 'outbound_payments') {
      if (method === 'POST' && !ofPath) return create(body)
      if (!ofPath) return listPayments(query)
      const found = payments.get(ofPath)
      if (!found) return refusal(404, 'not_found', 'No such payment.')
      if (action === 'cancel' && found.status !== 'processing') return refusal(400, 'not_cancelable', 'It has left.')
      if (action === 'cancel') set(found, 'canceled', new Date())
      return { status: 200, body: found }
    }
    if (area === 'core') return people.answer(method, noun ?? '', ofPath, body)
    return refusal(404, 'not_found', `Unrecognized request URL (${method}: ${path}).`)
  }

  const eventOf = (type: string, related_object: object, at: Date) => ({
    id: id('evt'),
    object: 'v2.core.event',
    type,
    created: at.toISOString(),
    related_object,
  })
  const signed = (body: string, at: Date): Webhook => {
    const time = Math.floor(at.getTime() / 1000)
    const v1 = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex')
    return { body, headers: { 'stripe-signature': `t=${time},v1=${v1}` } }
  }
  const standIn = await startStandIn(answer, options)
  return Object.assign(standIn, {
    payments,
    accounts,
    balances,
    settle,
    payment,
    addRecipient: people.add,
    give: people.give,
    connect: connect.connect,
    forgetKeys: () => done.clear(),
    transfer: connect.transfer,
    reverse: connect.reverse,
    transferNotice(ourId: string, at = new Date()) {
      const object = connect.transfer(ourId)
      const type = object.amount_reversed > 0 ? 'transfer.reversed' : 'transfer.created'
      return signed(JSON.stringify({ id: id('evt'), object: 'event', type, data: { object } }), at)
    },
    accountNotice(recipient: string, at = new Date()) {
      const type = 'v2.core.account[configuration.recipient].updated'
      return signed(JSON.stringify(eventOf(type, { id: recipient, type: 'v2.core.account' }, at)), at)
    },
    states: () =>
      [...payments.values()].map(({ metadata, status }) => ({ ourId: metadata.tributary_payment ?? '', word: status })),
    change: (ourId: string, status: string, at = new Date()) => set(payment(ourId), status, at),
    moved() {
      const moved = new Map<string, number>()
      for (const { destination, amount, amount_reversed: back } of connect.transfers.values())
        moved.set(destination, (moved.get(destination) ?? 0) + amount - back)
      for (const { status, to, amount } of payments.values()) {
        if (status === 'posted') {
          const address = [to.recipient, to.payout_method].filter(Boolean).join('/')
          moved.set(address, (moved.get(address) ?? 0) + amount.value)
        }
      }
      return moved
    },
    notice(ourId: string, at = new Date()) {
      const found = payment(ourId)
      const related = {
        id: found.id,
        type: 'v2.money_management.outbound_payment',
        url: `/v2/money_management/outbound_payments/${found.id}`,
      }
      const body = JSON.stringify(eventOf(`v2.money_management.outbound_payment.${found.status}`, related, at))
      return signed(body, at)
    },
    signAgain: ({ body }: Webhook, at: Date) => signed(body, at),
  })
}
