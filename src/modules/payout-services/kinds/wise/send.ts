import { readableAmount } from '../../../../kernel/money/decimals.ts'
import { textOf } from '../../call.ts'
import { uuidOf } from '../../our-ids.ts'
import { ServiceProblem } from '../../problem.ts'
import { inParallel } from '../in-parallel.ts'
import {
  type BatchToSend,
  type HandOver,
  type Heard,
  nothingSaid,
  type PaymentToSend,
  type SentBatch,
  type Steps,
} from '../kind.ts'
import { ofWise, refusedBy, taken, type Wise, wordsOf } from './calls.ts'
import { balancesOf, type Profile, profileOf } from './profile.ts'
import { createQuote, readQuote, sourceOf } from './quotes.ts'
import { type Group, groupOf, heardOf, type Price, type Transfer, transferOf, waiting } from './read.ts'
import { createRecipient, fieldsOfRecipients } from './recipients.ts'
import { cancelTransfer, readGroup, transfersOf } from './transfers.ts'

/** Payments whose recipients, quotes and transfers are made at the same time. */
const atOnce = 20

/** A payment as Wise has it, or why it has not. */
type Made =
  | { payment: PaymentToSend; transfer: Transfer; price: Price | null }
  | { payment: PaymentToSend; reason: string }

/**
 * Sends a batch: a group, then a recipient, a quote and a transfer for each payment, then the group is completed and
 * funded. Nothing is paid before it is funded, and Wise funds a transfer once. The id of the group is kept before it
 * gets transfers; these are found again by our ids. A group with a transfer that was not found is not completed, and
 * none of its payments is free: the list of transfers can be behind.
 */
export async function send(access: Wise, batch: BatchToSend, steps: Steps): Promise<SentBatch> {
  const profile = await profileOf(access)
  const group =
    steps.serviceId === null
      ? await createGroup(access, profile, batch, steps)
      : await readGroup(access, profile, steps.serviceId)
  const { ourId } = batch
  // A person has cancelled it at Wise. What became of its payments is asked for.
  if (group.word !== 'NEW' && group.word !== 'COMPLETED') return { ourId, serviceId: group.id, word: group.word }
  const { existing, seen } = await existingTransfers(access, profile, group, batch, steps)
  const made = await makeTransfers(access, profile, { group, batch, existing }, steps)
  for (const one of made) if ('transfer' in one) seen.add(one.transfer.id)
  const whole = await readGroup(access, profile, group.id)
  if ([...whole.transferIds].some((id) => !seen.has(id)))
    throw new ServiceProblem('unanswered', 'Wise has transfers of the batch that it does not list yet.')
  const sent = made.flatMap((one) => ('transfer' in one && one.transfer.word !== 'cancelled' ? one : []))
  const payments = made.map((one) => ('transfer' in one ? heardOf(one.transfer, one.price) : refusedPayment(one)))
  if (sent.length === 0) return { ourId, serviceId: group.id, word: group.word, payments }
  if (whole.word === 'NEW') await complete(access, profile, whole, steps)
  const isFunded = sent.some(({ transfer: { word } }) => word !== waiting)
  const handOver = isFunded ? null : await fund(access, profile, group, sent, steps)
  return { ourId, serviceId: group.id, word: 'COMPLETED', payments, handOver }
}

const refusedPayment = ({ payment: { ourId }, reason }: { payment: PaymentToSend; reason: string }): Heard => ({
  ...nothingSaid,
  ourId,
  serviceId: null,
  word: 'refused',
  state: 'failed',
  reason,
})

async function createGroup(access: Wise, profile: Profile, batch: BatchToSend, steps: Steps): Promise<Group> {
  const { ourId, program, payments } = batch
  const currency = payments[0]?.currency ?? program.currency
  const source = sourceOf(access, program, currency)
  if (profile.mayFund && source === currency) {
    const balance = (await balancesOf(access, profile)).find((one) => one.currency === currency)
    const sum = payments.reduce((total, { cents }) => total + cents, 0n)
    if ((balance?.cents ?? 0n) < sum)
      throw new ServiceProblem(
        'refused',
        `The balance at Wise is not enough for ${readableAmount(sum, currency)}. Add money there, and send again.`,
      )
  }
  await fieldsOfRecipients(access, source, currency)
  await steps.next('before group')
  const name = `${program.name.slice(0, 60)} ${ourId.slice(-10)}`
  const body = await taken(access, {
    method: 'POST',
    path: `/v3/profiles/${profile.id}/batch-groups`,
    body: JSON.stringify({ sourceCurrency: source.toUpperCase(), name }),
  })
  const group = groupOf(body)
  if (!group) throw new ServiceProblem('unanswered', 'Wise has made a batch, but did not say its id.')
  await steps.next('after group')
  await steps.keep(group.id)
  return group
}

/**
 * The transfers of an earlier try, by our ids. Those of payments that are not sent any more, because a person has
 * cancelled them meanwhile, are cancelled at Wise.
 */
async function existingTransfers(
  access: Wise,
  profile: Profile,
  group: Group,
  { payments }: BatchToSend,
  steps: Steps,
): Promise<{ existing: Map<string, Transfer>; seen: Set<string> }> {
  const existing = new Map<string, Transfer>()
  const seen = new Set<string>()
  if (steps.serviceId === null || group.transferIds.size === 0) return { existing, seen }
  const wanted = new Set(payments.map(({ ourId }) => ourId))
  for await (const page of transfersOf(access, profile, group, steps.firstTriedAt)) {
    await steps.next('while looking')
    for (const transfer of page) {
      seen.add(transfer.id)
      if (transfer.ourId !== null && wanted.has(transfer.ourId)) existing.set(transfer.ourId, transfer)
      else if (transfer.word === waiting) await cancelTransfer(access, transfer.id)
    }
  }
  return { existing, seen }
}

type Work = { group: Group; batch: BatchToSend; existing: ReadonlyMap<string, Transfer> }

async function makeTransfers(
  access: Wise,
  profile: Profile,
  { group, batch, existing }: Work,
  steps: Steps,
): Promise<Made[]> {
  const { program, payments } = batch
  const currency = payments[0]?.currency ?? program.currency
  const isOpen = group.word === 'NEW'
  const isMissing = payments.some(({ ourId }) => !existing.has(ourId))
  const fields =
    isOpen && isMissing ? await fieldsOfRecipients(access, sourceOf(access, program, currency), currency) : []
  const makeOne = async (payment: PaymentToSend): Promise<Made> => {
    const known = existing.get(payment.ourId)
    if (known) {
      await steps.next('before known quote')
      return { payment, transfer: known, price: await readQuote(access, profile, known.quoteId) }
    }
    if (!isOpen) return { payment, reason: 'The batch was completed at Wise without this payment.' }
    await steps.next('before recipient')
    const recipient = await createRecipient(access, profile, fields, payment)
    if ('reason' in recipient) return { payment, reason: recipient.reason }
    await steps.next('before quote')
    const quote = await createQuote(access, profile, { money: payment, program, account: recipient.id })
    if ('refusal' in quote) return { payment, reason: wordsOf(quote.refusal.body) || 'Wise gives no quote.' }
    await steps.next('before transfer')
    const reply = await ofWise(access, {
      method: 'POST',
      path: `/v3/profiles/${profile.id}/batch-groups/${group.id}/transfers`,
      body: JSON.stringify({
        targetAccount: Number(recipient.id),
        quoteUuid: quote.price.id,
        customerTransactionId: uuidOf(payment.ourId),
        details: { reference: program.name.slice(0, 10) },
      }),
    })
    await steps.next('after transfer')
    const transfer = transferOf(reply.body)
    if (reply.status < 300 && transfer.id !== '') return { payment, transfer, price: quote.price }
    if (reply.status === 403) throw refusedBy(reply)
    return { payment, reason: wordsOf(reply.body) || `Wise refuses it: status ${reply.status}.` }
  }
  const { done, problems } = await inParallel(payments, atOnce, makeOne)
  if (problems.length > 0) throw problems[0]
  return done
}

/** Closes the group: its transfers can be funded from now on. */
async function complete(access: Wise, profile: Profile, { id, version }: Group, steps: Steps): Promise<void> {
  await steps.next('before completion')
  await taken(access, {
    method: 'PATCH',
    path: `/v3/profiles/${profile.id}/batch-groups/${id}`,
    body: `{"status":"COMPLETED","version":${version}}`,
  })
  await steps.next('after completion')
}

/** @returns what a person has to do, or null if the money is there */
async function fund(
  access: Wise,
  profile: Profile,
  group: Group,
  sent: readonly { price: Price | null }[],
  steps: Steps,
): Promise<HandOver | null> {
  if (!profile.mayFund) return handOver(group, sent, null)
  await steps.next('before funding')
  try {
    const reply = await ofWise(access, {
      method: 'POST',
      path: `/v3/profiles/${profile.id}/batch-payments/${group.id}/payments`,
      body: '{"type":"BALANCE"}',
    })
    if (reply.status < 300 && textOf(reply.body.status) !== 'REJECTED') return null
    if (reply.status === 403 && reply.header('x-2fa-approval') !== null) return handOver(group, sent, null)
    return handOver(group, sent, textOf(reply.body.errorCode) ?? (wordsOf(reply.body) || `status ${reply.status}`))
  } catch (error) {
    if (!(error instanceof ServiceProblem)) throw error
    if (error.kind === 'unauthorized') return handOver(group, sent, error.message)
    // A person can fund it at Wise from now on, so its payments are not free, though this call has done nothing.
    throw error.isSure ? new ServiceProblem('unanswered', error.message, error.details) : error
  }
}

function handOver({ name }: Group, sent: readonly { price: Price | null }[], problem: string | null): HandOver {
  const prices = sent.flatMap(({ price }) => price ?? [])
  const sources = prices.flatMap(({ source }) => source ?? [])
  const sum = sources.reduce((total, { cents }) => total + cents, 0n)
  const amount = sources[0] && sources.length === sent.length ? ` with ${readableAmount(sum, sources[0].currency)}` : ''
  const ends = prices.flatMap(({ expiresAt }) => expiresAt?.getTime() ?? [])
  return {
    text: `Open Wise and fund the batch "${name}"${amount}.${problem === null ? '' : ` Wise did not take it from the balance: ${problem}`}`,
    expiresAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
  }
}
