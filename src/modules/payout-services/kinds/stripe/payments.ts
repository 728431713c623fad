import { readableAmount } from '../../../../kernel/money/decimals.ts'
import { ServiceProblem } from '../../problem.ts'
import { inParallel } from '../in-parallel.ts'
import { type BatchToSend, type Heard, nothingSaid, type PaymentToSend, type SentBatch, type Steps } from '../kind.ts'

/** How many payments are created at a time: enough for the limit of Stripe with answers after 200 ms. */
const atOnce = 20

/** Creates the payments of a batch, each by a call. What is decided then, such as a refusal, is recorded with it. */
export async function sendEach(
  { ourId, payments }: BatchToSend,
  steps: Steps,
  create: (payment: PaymentToSend) => Promise<Heard>,
): Promise<SentBatch> {
  const { done, problems } = await inParallel(payments, atOnce, async (payment) => {
    await steps.next('before payment')
    return create(payment)
  })
  const mistake = problems.find((one) => !(one instanceof ServiceProblem))
  if (mistake !== undefined) throw mistake
  // One without an answer may have been made, so it decides.
  const problem = problems.find((one) => !isSure(one)) ?? problems[0]
  if (problem === undefined) {
    const decided = done.filter(({ state }) => state !== 'sent')
    return { ourId, serviceId: ourId, word: 'created', payments: decided }
  }
  await steps.record(done)
  const hasSent = done.some(({ state }) => state !== 'failed')
  throw afterSome(problem, hasSent)
}

/**
 * If some payments were created, the batch is not free, whatever the reason: the others stay unknown, and it is sent
 * again as the same one.
 */
function afterSome(error: unknown, hasSent: boolean): unknown {
  if (!hasSent || !isSure(error)) return error
  return new ServiceProblem('unanswered', `${error.message} Some payments of the batch were made; the rest follows.`, {
    retryAfterMs: error.details.retryAfterMs,
  })
}

const isSure = (error: unknown): error is ServiceProblem => error instanceof ServiceProblem && error.isSure

export const noBalance = (cents: bigint, currency: string) =>
  new ServiceProblem(
    'refused',
    `The balance at Stripe is not enough for ${readableAmount(cents, currency)}. Add money there, and send again.`,
  )

/** A payment that Stripe refuses because of its payee. */
export const refusal = (ourId: string, word: string, reason: string): Heard => ({
  ...nothingSaid,
  ourId,
  serviceId: null,
  word,
  state: 'failed',
  reason,
})
