import { randomBytes } from 'node:crypto'
import type { Told } from './stand-in.ts'

// The recipients of the stand-in of Stripe, and its page that asks them for their bank accounts.

export type Account = {
  id: string
  contact_email: string
  display_name: string
  identity: { country: string; entity_type: string }
  metadata: Record<string, string>
  isReady: boolean
  /** The newest is the default one. */
  payoutMethods: string[]
}
type Link = { account: string; returnUrl: string }
type Body = Account & { account: string; use_case: { account_onboarding: { return_url: string } } }

export const id = (prefix: string) => `${prefix}_test_${randomBytes(9).toString('hex')}`

export const refusal = (status: number, code: string, message: string): Told => ({
  status,
  body: { error: { code, message, type: 'invalid_request_error' } },
})

const shown = ({ isReady, payoutMethods, ...account }: Account) => ({
  ...account,
  object: 'v2.core.account',
  configuration: {
    recipient: {
      capabilities: { bank_accounts: { local: { requested: true, status: isReady ? 'active' : 'restricted' } } },
      default_outbound_destination: isReady ? { id: payoutMethods.at(-1), type: 'us_bank_account' } : null,
    },
  },
  requirements: { entries: isReady ? [] : [{ description: 'bank account' }, { description: 'address' }] },
})

export function createRecipients(url: () => string) {
  const accounts = new Map<string, Account>()
  const links = new Map<string, Link>()
  const newId = () => id('acct').replace('_test', '')
  const give = (recipient: string): string => {
    const account = accounts.get(recipient)
    if (!account) throw new Error(`Stripe has no account ${recipient}.`)
    account.isReady = true
    account.payoutMethods.push(id('usba'))
    return `${recipient}/${account.payoutMethods.at(-1)}`
  }
  const add = (name: string): string => {
    const account = newId()
    accounts.set(account, {
      id: account,
      contact_email: `${name}@stripe.test`,
      display_name: name,
      identity: { country: 'us', entity_type: 'individual' },
      metadata: {},
      isReady: false,
      payoutMethods: [],
    })
    return give(account)
  }

  const page = (link: string): Told => {
    const found = links.get(link)
    if (!found)
      return { status: 404, body: {}, html: '<!doctype html><title>Expired</title><h1>This link has expired</h1>' }
    const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Stand-in of Stripe</title>
<h1>Where should your money go?</h1><form method="post"><label>Account number <input name="account" required></label>
<button name="outcome" value="ready">Save</button> <button name="outcome" value="later" formnovalidate>Later</button></form></html>`
    return { status: 200, body: {}, html }
  }
  const hosted = (method: string, link: string, text: string): Told => {
    const found = links.get(link)
    if (method !== 'POST' || !found) return page(link)
    links.delete(link)
    if (new URLSearchParams(text).get('outcome') === 'ready') give(found.account)
    return { status: 303, body: {}, headers: { location: found.returnUrl } }
  }

  const answer = (method: string, noun: string, ofPath: string | undefined, body: Body): Told => {
    if (noun === 'account_links') {
      if (!accounts.has(body.account)) return refusal(404, 'not_found', 'No such account.')
      const link = randomBytes(9).toString('hex')
      links.set(link, { account: body.account, returnUrl: body.use_case.account_onboarding.return_url })
      const expires_at = new Date(Date.now() + 10 * 60_000).toISOString()
      return { status: 200, body: { object: 'v2.core.account_link', url: `${url()}/hosted/${link}`, expires_at } }
    }
    if (method === 'POST') {
      const account: Account = { ...body, id: newId(), isReady: false, payoutMethods: [] }
      accounts.set(account.id, account)
      return { status: 200, body: shown(account) }
    }
    const found = accounts.get(ofPath ?? '')
    return found ? { status: 200, body: shown(found) } : refusal(404, 'not_found', 'No such account.')
  }
  return { accounts, add, give, hosted, answer }
}
