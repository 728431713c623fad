import { LRUCache } from 'lru-cache'
import type { Program } from '../../../../generated/prisma/client.ts'
import { toMajorUnits } from '../../../../kernel/money/decimals.ts'
import type { Reply } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import type { Money } from '../kind.ts'
import { ofWise, type Wise } from './calls.ts'
import type { Profile } from './profile.ts'
import { type Price, priceOf } from './read.ts'

/** Quotes of transfers, which do not change: a batch that is sent in several turns does not ask for them again. */
const known = new LRUCache<string, Price>({ max: 2_000 })

/** The currency of the balance that pays. @throws ServiceProblem */
export function sourceOf({ credentials }: Wise, { payoutFeeBearer }: Program, currency: string): string {
  const source = credentials.balanceCurrency?.toLowerCase() ?? currency
  if (source !== currency && payoutFeeBearer === 'affiliate')
    throw new ServiceProblem(
      'refused',
      `If affiliates bear the fee, the balance that pays has the currency of the run, ${currency.toUpperCase()}. It is ${source.toUpperCase()}. Change who bears the fee, or \`balanceCurrency\` of the credentials.`,
    )
  return source
}

type Asked = { money: Money; program: Program; account?: string }

/**
 * Asks for a quote. If the company bears the fee, the amount arrives; if the affiliate does, the amount leaves.
 * @throws ServiceProblem without an answer
 */
export async function createQuote(
  access: Wise,
  profile: Profile,
  { money: { cents, currency }, program, account }: Asked,
): Promise<{ price: Price } | { refusal: Reply }> {
  const asked = JSON.stringify({
    sourceCurrency: sourceOf(access, program, currency).toUpperCase(),
    targetCurrency: currency.toUpperCase(),
    payIn: 'BALANCE',
    ...(account !== undefined && { targetAccount: Number(account) }),
  })
  const side = program.payoutFeeBearer === 'affiliate' ? 'sourceAmount' : 'targetAmount'
  // The amount is written as a decimal: as a number of JavaScript, it would be a float.
  const body = `${asked.slice(0, -1)},"${side}":${toMajorUnits(cents, currency)}}`
  const reply = await ofWise(access, { method: 'POST', path: `/v3/profiles/${profile.id}/quotes`, body })
  const price = priceOf(reply.body)
  if (reply.status >= 300 || price.id === '') return { refusal: reply }
  known.set(`${access.url} ${price.id}`, price)
  return { price }
}

/** The quote of a transfer. Null if Wise does not have it any more. */
export async function readQuote(access: Wise, profile: Profile, id: string | null): Promise<Price | null> {
  if (id === null) return null
  const kept = known.get(`${access.url} ${id}`)
  if (kept) return kept
  const path = `/v3/profiles/${profile.id}/quotes/${encodeURIComponent(id)}`
  const reply = await ofWise(access, { method: 'GET', path })
  if (reply.status >= 300) return null
  const price = priceOf(reply.body)
  known.set(`${access.url} ${id}`, price)
  return price
}
