import { LRUCache } from 'lru-cache'
import { objectOf, textOf } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import { decimalMoney } from '../amounts.ts'
import type { Money } from '../kind.ts'
import { elementsOf, taken, type Wise } from './calls.ts'

/** Whose money it is. */
export type Profile = { id: string; name: string; mayFund: boolean }

/** Where a token may fund transfers. Elsewhere, Wise asks a person to confirm each payment. */
const fundedByToken: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'NZ', 'SG', 'MY'])

const profiles = new LRUCache<string, Profile>({ max: 200, ttl: 3_600_000 })
const keyOf = ({ url, credentials }: Wise) => `${url} ${credentials.token} ${credentials.profileId ?? ''}`

/** The profile of the credentials: the one that they name, or the only one of a business. @throws ServiceProblem */
export async function profileOf(access: Wise, isFresh = false): Promise<Profile> {
  const known = isFresh ? undefined : profiles.get(keyOf(access))
  if (known) return known
  const all = elementsOf(await taken(access, { method: 'GET', path: '/v2/profiles' })).map((one) => ({
    id: textOf(one.id) ?? '',
    isBusiness: textOf(one.type)?.toLowerCase() === 'business',
    name: textOf(one.businessName) ?? textOf(one.fullName) ?? textOf(objectOf(one.details).name) ?? 'without a name',
    country: textOf(objectOf(one.address).countryIso2Code) ?? '',
  }))
  const { profileId } = access.credentials
  const fitting = profileId ? all.filter(({ id }) => id === profileId) : all.filter(({ isBusiness }) => isBusiness)
  const [found] = fitting
  if (!found || fitting.length > 1) {
    const names = all.map(({ id, name }) => `${id} (${name})`).join(', ')
    throw new ServiceProblem(
      'refused',
      profileId
        ? `The token sees no profile ${profileId} at Wise. It sees ${names || 'none'}.`
        : `The token sees ${fitting.length} profiles of businesses at Wise. Enter \`profileId\`, one of: ${names || 'none'}.`,
    )
  }
  const profile = { id: found.id, name: found.name, mayFund: fundedByToken.has(found.country) }
  profiles.set(keyOf(access), profile)
  return profile
}

/** What the account has, by currency. */
export async function balancesOf(access: Wise, { id }: Profile): Promise<Money[]> {
  const body = await taken(access, { method: 'GET', path: `/v4/profiles/${id}/balances?types=STANDARD` })
  return elementsOf(body).flatMap(({ amount }) => {
    const { value, currency } = objectOf(amount)
    return decimalMoney(value, currency) ?? []
  })
}
