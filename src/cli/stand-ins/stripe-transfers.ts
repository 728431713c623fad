import type { Told } from './stand-in.ts'
import { id, refusal } from './stripe-recipients.ts'

// Connect in the stand-in of Stripe: connected accounts, and transfers to them with their reversals, by API v1.

type Reversal = { id: string; object: string; amount: number; currency: string; created: number }
export type Transfer = {
  id: string
  object: string
  amount: number
  amount_reversed: number
  reversed: boolean
  currency: string
  destination: string
  transfer_group: string
  created: number
  metadata: Record<string, string>
  reversals: { object: string; data: Reversal[] }
}
type Connected = { id: string; name: string; isReady: boolean }

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1_000)
const mostPage = 100

export function createTransfers(balances: Record<string, number>) {
  const connected = new Map<string, Connected>()
  const transfers = new Map<string, Transfer>()
  const addToBalance = (currency: string, value: number) => {
    const name = currency.toUpperCase()
    balances[name] = (balances[name] ?? 0) + value
  }

  /** The name of an account decides: `invalid` does not exist, `country` and `refused` get no transfers. */
  const connect = (name: string): string => {
    const account = id('acct').replace('_test', '')
    connected.set(account, { id: account, name, isReady: !name.includes('incomplete') })
    return account
  }
  const transfer = (ourId: string): Transfer => {
    const found = [...transfers.values()].find(({ metadata }) => metadata.tributary_payment === ourId)
    if (!found) throw new Error(`Stripe has no transfer ${ourId}.`)
    return found
  }
  /** As somebody of the platform does on its page. */
  const reverse = (ourId: string, amount: number, at = new Date()): void => {
    const found = transfer(ourId)
    const { currency } = found
    found.reversals.data.unshift({
      id: id('trr'),
      object: 'transfer_reversal',
      amount,
      currency,
      created: secondsOf(at),
    })
    found.amount_reversed += amount
    found.reversed = found.amount_reversed === found.amount
    addToBalance(currency, amount)
  }

  const create = (form: URLSearchParams): Told => {
    const given = (name: string) => form.get(name) ?? ''
    const destination = given('destination')
    const account = connected.get(destination)
    if (!account || account.name.includes('invalid'))
      return refusal(400, 'resource_missing', `The account is invalid: no such destination: '${destination}'.`)
    if (!account.isReady)
      return refusal(400, 'insufficient_capabilities_for_transfer', 'The account needs the capability of transfers.')
    if (account.name.includes('country'))
      return refusal(400, 'transfers_not_allowed', 'Transfers to this country are not possible.')
    if (account.name.includes('refused')) return refusal(400, 'transfers_not_allowed', 'The account cannot be paid.')
    const [amount, currency] = [Number(given('amount')), given('currency')]
    if (amount > (balances[currency.toUpperCase()] ?? 0))
      return refusal(400, 'balance_insufficient', 'You have insufficient funds in your Stripe account.')
    addToBalance(currency, -amount)
    const metadata = Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
        return key === undefined ? [] : [[key, value]]
      }),
    )
    const made: Transfer = {
      id: id('tr'),
      object: 'transfer',
      amount,
      amount_reversed: 0,
      reversed: false,
      currency,
      destination,
      transfer_group: given('transfer_group'),
      created: secondsOf(new Date()),
      metadata,
      reversals: { object: 'list', data: [] },
    }
    transfers.set(made.id, made)
    return { status: 200, body: structuredClone(made) }
  }

  const list = (query: URLSearchParams): Told => {
    const all = [...transfers.values()].filter((one) => one.transfer_group === query.get('transfer_group')).reverse()
    const after = query.get('starting_after')
    const start = after === null ? 0 : all.findIndex((one) => one.id === after) + 1
    const data = all.slice(start, start + Math.min(Number(query.get('limit') ?? 10), mostPage))
    return { status: 200, body: { object: 'list', data, has_more: start + data.length < all.length } }
  }

  const answer = (method: string, [noun, ofPath]: string[], query: URLSearchParams, text: string): Told => {
    if (noun === 'account') return { status: 200, body: { id: 'acct_stand_in', object: 'account' } }
    if (noun === 'balance') {
      const available = Object.entries(balances).map(([name, amount]) => ({ amount, currency: name.toLowerCase() }))
      return { status: 200, body: { object: 'balance', available } }
    }
    if (noun === 'accounts') {
      const found = connected.get(ofPath ?? '')
      if (!found) return refusal(403, 'account_invalid', 'The key does not have access to this account.')
      const requirements = { currently_due: found.isReady ? [] : ['external_account'] }
      const capabilities = { transfers: found.isReady ? 'active' : 'inactive' }
      return { status: 200, body: { id: found.id, object: 'account', capabilities, requirements } }
    }
    if (noun !== 'transfers') return refusal(404, 'not_found', 'Unrecognized request URL.')
    if (method === 'POST') return create(new URLSearchParams(text))
    if (!ofPath) return list(query)
    const found = transfers.get(ofPath)
    return found ? { status: 200, body: found } : refusal(404, 'resource_missing', 'No such transfer.')
  }
  return { connected, transfers, connect, transfer, reverse, answer }
}
