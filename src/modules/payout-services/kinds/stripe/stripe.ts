import { z } from 'zod'
import { described, optional, required, text } from '../../../../kernel/input/fields.ts'
import { readableAmount } from '../../../../kernel/money/decimals.ts'
import { isSameSecret } from '../../../../kernel/same-secret.ts'
import { fieldsOf, hmac, toleranceMs } from '../../../../kernel/signatures.ts'
import { eventOf, listOf, objectOf, textOf } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import { defineKind, type Notice } from '../kind.ts'
import { type Credentials, ofStripe, refusedBy, type Stripe } from './calls.ts'
import { financialAccountOf } from './financial-account.ts'
import { batchIdOf, paymentOf } from './read.ts'
import { onboarding } from './recipients.ts'
import { send } from './send.ts'
import {
  askForTransfers,
  connectedAccounts,
  paysConnected,
  platformOf,
  sendTransfers,
  transferOfEvent,
} from './transfers.ts'

// Source: Stripe's reference of API v2 (2026-10-28.endive) and its guide of Global Payouts, read in November 2026.

const pageSize = 100
const payees = ['recipients', 'connected_accounts']
/** Clocks differ. */
const marginMs = 5 * 60_000

const payments = '/v2/money_management/outbound_payments'

/** The payments of batches, by one list of those that were created since. */
async function* ask(access: Stripe, serviceIds: readonly string[], since: Date) {
  if (paysConnected(access)) return yield* askForTransfers(access, serviceIds)
  const from = new Date(since.getTime() - marginMs).toISOString()
  let path: string | null = `${payments}?limit=${pageSize}&created_gte=${encodeURIComponent(from)}`
  const serviceId = serviceIds[0] as string
  while (path !== null) {
    const { status, body } = await ofStripe(access, { method: 'GET', path })
    if (status >= 300) throw refusedBy(body, status)
    const own = listOf(body.data).filter((payment) => serviceIds.includes(batchIdOf(payment) ?? ''))
    yield { ourId: serviceId, serviceId, word: 'created', payments: own.map(paymentOf), rest: null }
    path = nextPath(textOf(body.next_page_url))
  }
}

/** Stripe gives a path. Of a whole address, only the path is used: the key goes nowhere else. */
function nextPath(next: string | null): string | null {
  if (next === null) return null
  if (!URL.canParse(next, 'https://api.stripe.com'))
    throw new ServiceProblem('unanswered', 'Stripe did not say where the rest of the payments is.')
  const { pathname, search } = new URL(next, 'https://api.stripe.com')
  return `${pathname}${search}`
}

function refusalOf({ credentials, now }: Stripe, { body, header }: Notice): string | null {
  const { webhookSecret } = credentials
  if (!webhookSecret) return 'The secret of the event destination is not known: enter it with the credentials.'
  const fields = fieldsOf(header('stripe-signature') ?? '', ',')
  const time = fields.get('t')?.[0] ?? ''
  if (!/^\d+$/.test(time)) return 'The request has no signature of Stripe.'
  const expected = hmac(webhookSecret, [`${time}.`, body], 'hex')
  if (!fields.get('v1')?.some((given) => isSameSecret(given, expected))) return 'The signature is not that of Stripe.'
  return Math.abs(now().getTime() - Number(time) * 1000) > toleranceMs ? 'The signature is too old.' : null
}

const payerOf = (access: Stripe) => (paysConnected(access) ? platformOf(access) : financialAccountOf(access))
const onboardingOf = (access: Stripe) => (paysConnected(access) ? connectedAccounts : onboarding)

export const stripe = defineKind<Credentials>({
  name: 'Stripe',
  description: 'Stripe Global Payouts, or transfers to connected accounts: sends runs of the method `STRIPE`.',
  method: 'stripe',
  can: ['quote', 'verify', 'send', 'ask', 'hear'],
  credentials: z.object({
    secretKey: required(described(text(300), 'A restricted key, `rk_…`.')),
    financialAccount: optional(
      described(text(100), 'The financial account that is paid from, `fa_…`. Default: the only one.'),
    ),
    webhookSecret: optional(
      described(text(200), 'The signing secret of the event destination, `whsec_…`. Without it, webhooks are refused.'),
    ),
    payees: optional(
      described(
        text(20).refine((value) => payees.includes(value), { error: `must be one of ${payees.join(', ')}` }),
        'Whom runs pay: `recipients` of Global Payouts, which is the default, or `connected_accounts` of your platform by Connect transfers.',
      ),
    ),
  }),
  mostInBatch: 500,
  // Stripe keeps idempotency keys of API v2 for 30 days.
  protectsDays: 30,
  asksAtOnce: 20,
  async check(access) {
    const { id, balances } = await payerOf(access)
    const each = balances.map(
      (one) => `can pay ${one.currency.toUpperCase()}, balance ${readableAmount(one.cents, one.currency)}`,
    )
    return { account: id, canPay: each.join('; ') || 'can pay; Stripe names no balance' }
  },
  async quote(access, { currency }) {
    const { balances } = await payerOf(access)
    const balance = balances.find((one) => one.currency === currency) ?? { cents: 0n, currency }
    const notes = [
      paysConnected(access)
        ? 'Transfers reach the balances of connected accounts at Stripe. Stripe pays them out to the banks by itself.'
        : 'Stripe books its fees on the financial account, and does not say them of a single payment.',
    ]
    return { fee: null, balance, exchangeRate: null, expiresAt: null, notes }
  },
  send: (access, batch, steps) =>
    paysConnected(access) ? sendTransfers(access, batch, steps) : send(access, batch, steps),
  ask,
  async cancel(access, serviceId) {
    const path = `${payments}/${encodeURIComponent(serviceId)}/cancel`
    const { status, body } = await ofStripe(access, { method: 'POST', path, body: {} })
    if (status >= 300) throw refusedBy(body, status)
    return paymentOf(body)
  },
  async hear(access, notice) {
    const refusal = refusalOf(access, notice)
    if (refusal !== null) return { refusal }
    const event = eventOf(Buffer.from(notice.body).toString('utf8'))
    if (!event) return { refusal: 'The body is not JSON.' }
    if (paysConnected(access)) return { payments: await transferOfEvent(access, event), batches: [] }
    const id = textOf(objectOf(event.related_object).id)
    const type = textOf(event.type) ?? ''
    if (id !== null && type.startsWith('v2.core.account')) return { payments: [], batches: [], payees: [id] }
    if (id === null || !type.startsWith('v2.money_management.outbound_payment.')) return { payments: [], batches: [] }
    // A thin event has no state: the payment is asked for.
    const { status, body } = await ofStripe(access, { method: 'GET', path: `${payments}/${encodeURIComponent(id)}` })
    if (status === 404) return { payments: [], batches: [] }
    if (status >= 300) throw refusedBy(body, status)
    return { payments: [paymentOf(body)], batches: [] }
  },
  onboarding: {
    create: (access, payee) => onboardingOf(access).create(access, payee),
    link: (access, recipient, pages) => onboardingOf(access).link(access, recipient, pages),
    verify: (access, recipient) => onboardingOf(access).verify(access, recipient),
    hasPage: (access) => onboardingOf(access).hasPage(access),
  },
})
