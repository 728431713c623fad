import { type Json, listOf, textOf } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import type { Money } from '../kind.ts'
import { ofStripe, refusedBy, type Stripe } from './calls.ts'
import { balancesOf } from './read.ts'

/** Where businesses are that Stripe lets send Global Payouts, as its documentation says in November 2026. */
const senderCountries = ['US', 'GB']

export type FinancialAccount = { id: string; balances: Money[] }

/**
 * The account that payments are made from: the one of the credentials, or the only one that is open.
 * @throws ServiceProblem with a sentence for accounts of other countries
 */
export async function financialAccountOf(access: Stripe): Promise<FinancialAccount> {
  const { financialAccount } = access.credentials
  const path = '/v2/money_management/financial_accounts'
  const one = financialAccount === undefined ? '?limit=20' : `/${encodeURIComponent(financialAccount)}`
  const { status, body } = await ofStripe(access, { method: 'GET', path: `${path}${one}` })
  if (status === 404)
    throw new ServiceProblem(
      'refused',
      financialAccount === undefined
        ? 'Global Payouts is not turned on for this account of Stripe. Turn it on in the Stripe Dashboard, below More, Global Payouts.'
        : `Stripe knows no financial account ${financialAccount} of this key.`,
    )
  if (status >= 300) throw refusedBy(body, status)
  const all = financialAccount === undefined ? listOf(body.data) : [body]
  return readAccount(all.filter((account) => textOf(account.status) !== 'closed'))
}

function readAccount(open: readonly Json[]): FinancialAccount {
  const [account, ...others] = open
  const id = account && textOf(account.id)
  if (!account || !id)
    throw new ServiceProblem(
      'refused',
      'The account of Stripe has no open financial account. Add one in the Stripe Dashboard, below Balances.',
    )
  if (others.length > 0) {
    const ids = open.flatMap((one) => textOf(one.id) ?? [])
    throw new ServiceProblem(
      'refused',
      `Stripe has several financial accounts: say which with financialAccount: ${ids.join(', ')}.`,
    )
  }
  const country = textOf(account.country)?.toUpperCase()
  if (country !== undefined && !senderCountries.includes(country))
    throw new ServiceProblem(
      'refused',
      `Stripe lets businesses in the US and the UK send Global Payouts, but this account is in ${country}. Pay by PayPal, Wise or SEPA instead.`,
    )
  return { id, balances: balancesOf(account) }
}
