import { toStripeUnits } from '../../../../kernel/money/stripe-units.ts'
import { stripeParts } from '../../../payout-methods/stripe/address.ts'
import { ServiceProblem } from '../../problem.ts'
import type { BatchToSend, Heard, PaymentToSend, SentBatch, Steps } from '../kind.ts'
import { codeOf, ofStripe, refusedBy, type Stripe, wordsOf } from './calls.ts'
import { financialAccountOf } from './financial-account.ts'
import { noBalance, refusal, sendEach } from './payments.ts'
import { ourNames, paymentOf } from './read.ts'

/** Refusals that are about the payee. Others stop the batch, because they are about the account. */
const ofPayee = /^(recipient_|payout_method|account_not|outbound_payment_recipient|feature_not_active|resource_missing)/

/**
 * Creates the payments of a batch, each with its idempotency key: the same one again is the same payment. Stripe has no
 * batches, so ours is in `metadata`.
 */
export async function send(access: Stripe, batch: BatchToSend, steps: Steps): Promise<SentBatch> {
  const account = await financialAccountOf(access)
  // What webhooks say of single payments is recorded at any time, so the batch can be asked for from here on.
  await steps.keep(batch.ourId)
  return sendEach(batch, steps, (payment) => create(access, account.id, batch, payment))
}

async function create(
  access: Stripe,
  financialAccount: string,
  { ourId: batchId, program }: BatchToSend,
  { ourId, recipient, cents, currency }: PaymentToSend,
): Promise<Heard> {
  const { account, payoutMethod } = stripeParts(recipient)
  const value = toStripeUnits(cents, currency)
  if (value === null)
    return refusal(ourId, 'amount_not_whole', `Stripe pays ${currency.toUpperCase()} in whole units only.`)
  const { status, body } = await ofStripe(access, {
    method: 'POST',
    path: '/v2/money_management/outbound_payments',
    idempotencyKey: ourId,
    body: {
      from: { financial_account: financialAccount, currency },
      to: { recipient: account, ...(payoutMethod !== null && { payout_method: payoutMethod }) },
      amount: { value: Number(value), currency },
      description: `${program.name}: affiliate payout`.slice(0, 200),
      metadata: { [ourNames.payment]: ourId, [ourNames.batch]: batchId },
    },
  })
  if (status < 300) {
    const payment = paymentOf(body)
    if (payment.serviceId === null)
      throw new ServiceProblem('unanswered', 'Stripe took the payment, but did not say its id.')
    return { ...payment, ourId }
  }
  const code = codeOf(body)
  if (code === 'insufficient_funds') throw noBalance(cents, currency)
  if (!ofPayee.test(code)) throw refusedBy(body, status)
  return refusal(ourId, code, wordsOf(body))
}
