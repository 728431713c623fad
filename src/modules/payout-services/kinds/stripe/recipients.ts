import { stripeParts } from '../../../payout-methods/stripe/address.ts'
import { textOf } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import type { Onboarding } from '../kind.ts'
import { type Credentials, ofStripe, refusedBy, type Stripe } from './calls.ts'
import { ourNames, recipientOf } from './read.ts'

const accountPath = (recipient: string) => `/v2/core/accounts/${encodeURIComponent(recipient)}`

/** Recipients are accounts of API v2. Stripe's own page asks for the bank account, which never comes here. */
export const onboarding: Onboarding<Credentials> = {
  hasPage: () => true,
  async create(access, { ourId, email, name, isBusiness, country }) {
    const { status, body } = await ofStripe(access, {
      method: 'POST',
      path: '/v2/core/accounts',
      // The same affiliate, country and kind again is the same account, also if the answer was lost.
      idempotencyKey: `recipient-${ourId}-${country}-${isBusiness ? 'company' : 'individual'}`.toLowerCase(),
      body: {
        contact_email: email,
        display_name: name || email,
        identity: { country: country.toLowerCase(), entity_type: isBusiness ? 'company' : 'individual' },
        configuration: { recipient: { capabilities: { bank_accounts: { local: { requested: true } } } } },
        metadata: { [ourNames.affiliate]: ourId },
      },
    })
    const recipient = textOf(body.id)
    if (status >= 300 || recipient === null) throw refusedBy(body, status)
    return recipient
  },
  async link(access, recipient, { returnUrl, refreshUrl }) {
    const pages = { configurations: ['recipient'], return_url: returnUrl, refresh_url: refreshUrl }
    const { status, body } = await ofStripe(access, {
      method: 'POST',
      path: '/v2/core/account_links',
      body: { account: recipient, use_case: { type: 'account_onboarding', account_onboarding: pages } },
    })
    const url = textOf(body.url)
    if (status >= 300 || url === null) throw refusedBy(body, status)
    return url
  },
  verify,
}

async function verify(access: Stripe, address: string) {
  const { account } = stripeParts(address)
  const query = 'include[0]=configuration.recipient&include[1]=requirements'
  const { status, body } = await ofStripe(access, { method: 'GET', path: `${accountPath(account)}?${query}` })
  if (status === 404) return { isReady: false, missing: 'an account that exists', address, isGone: true }
  if (status >= 300) throw refusedBy(body, status)
  if (textOf(body.id) === null) throw new ServiceProblem('unanswered', 'Stripe did not say which recipient it is.')
  return recipientOf(body, account)
}
