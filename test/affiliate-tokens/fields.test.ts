import {
  type GraphQLError,
  type GraphQLField,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { publicSchema } from '../../src/graphql/schema.ts'
import { createTestApp, type GraphQLClient } from '../support/app.ts'
import { callOf } from '../support/operations.ts'
import { clientOf, tellStory } from './story.ts'

// Every field of every type of the schema is either in this list, by a person's decision, or refused to an affiliate.

/** A list of an affiliate's own rows: pages and totals, no groups. */
function connection(noun: string, { amounts = [], counters = [] }: { amounts?: string[]; counters?: string[] } = {}) {
  const numbers = [...amounts, ...counters]
  const statistics = numbers.length > 0 ? ['avg', 'max', 'min', 'sum'] : []
  const currency = amounts.length > 0 ? ['currency'] : []
  return {
    [`${noun}Connection`]: ['aggregate', 'edges', 'nodes', 'pageInfo', 'totalCount'],
    [`${noun}Edge`]: ['cursor', 'node'],
    [`${noun}Aggregate`]: ['count', 'firstCreatedAt', 'lastCreatedAt', ...statistics, ...currency],
    ...(numbers.length > 0 && {
      [`${noun}Average`]: numbers,
      [`${noun}Maximum`]: numbers,
      [`${noun}Minimum`]: numbers,
      [`${noun}Sum`]: numbers,
    }),
  }
}

const allowed: Record<string, string[]> = {
  Query: ['me'],
  PageInfo: ['endCursor', 'hasNextPage', 'hasPreviousPage', 'startCursor'],
  Money: ['amountCents', 'currency', 'formatted'],
  ...connection('AffiliateLink', { counters: ['conversions', 'leads', 'visitors'] }),
  ...connection('Referral'),
  ...connection('Sale', { amounts: ['amount', 'refunded'] }),
  ...connection('Refund'),
  ...connection('Commission', { amounts: ['amount'] }),
  ...connection('Payout', { amounts: ['amount'] }),
  Affiliate: [
    'campaign',
    'commissions',
    'confirmedAt',
    'conversions',
    'coupon',
    'createdAt',
    'email',
    'firstName',
    'id',
    'lastName',
    'leads',
    'links',
    'payouts',
    'referrals',
    'sales',
    'state',
    'updatedAt',
    'visitors',
    'walletAEmail',
    'walletBEmail',
  ],
  AffiliateCoupon: ['affiliateId', 'createdAt', 'id', 'referrals', 'token', 'updatedAt'],
  AffiliateLink: [
    'affiliateId',
    'conversions',
    'createdAt',
    'id',
    'leads',
    'referrals',
    'token',
    'updatedAt',
    'url',
    'visitors',
  ],
  Campaign: [
    'commissionAmountCents',
    'commissionCurrency',
    'commissionPercent',
    'daysBeforeCommissionsAreDue',
    'daysBeforeReferralsExpire',
    'id',
    'maxCommissionPeriodInMonths',
    'maxCommissions',
    'minimumPayoutCents',
    'name',
    'rewardType',
    'url',
  ],
  Commission: [
    'affiliateId',
    'amountCents',
    'campaign',
    'campaignId',
    'createdAt',
    'currency',
    'dueAt',
    'id',
    'paidAt',
    'payout',
    'referral',
    'refund',
    'sale',
    'state',
    'updatedAt',
    'voidedAt',
  ],
  Customer: ['email', 'name'],
  Payout: [
    'affiliateId',
    'amountCents',
    'commissions',
    'createdAt',
    'currency',
    'id',
    'paidAt',
    'reference',
    'state',
    'updatedAt',
  ],
  Referral: [
    'affiliateId',
    'becameConversionAt',
    'becameLeadAt',
    'campaign',
    'campaignId',
    'commissions',
    'conversionState',
    'coupon',
    'createdAt',
    'customer',
    'expiresAt',
    'id',
    'link',
    'sales',
    'updatedAt',
  ],
  Refund: ['amountCents', 'createdAt', 'id', 'sale'],
  Sale: [
    'amountCents',
    'attributedBy',
    'campaign',
    'commissions',
    'createdAt',
    'currency',
    'customer',
    'customerName',
    'id',
    'noCommissionReason',
    'occurredAt',
    'outcome',
    'referral',
    'refundedCents',
    'refunds',
  ],
}

type Field = GraphQLField<unknown, unknown>
type Place = { type: string; field: Field; isAllowed: boolean }

const places: Place[] = Object.values(publicSchema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({
      type: type.name,
      field: field as Field,
      isAllowed: allowed[type.name]?.includes(field.name) ?? false,
    })),
  )

/** The types a field can lead to: of an interface or a union, all that it can be. */
function typesOf(field: Field): string[] {
  const type = getNamedType(field.type)
  if (isInterfaceType(type) || isUnionType(type)) return publicSchema.getPossibleTypes(type).map(({ name }) => name)
  return isObjectType(type) ? [type.name] : []
}

/** The fields from the root to each type: the way with the fewest refused fields on it, and of these the shortest. */
const waysTo = new Map<string, Place[]>([
  ['Query', []],
  ['Mutation', []],
  ['Subscription', []],
])
const costOf = (way: Place[]) => way.reduce((cost, { isAllowed }) => cost + (isAllowed ? 1 : 100), 0)
for (let isFinished = false; !isFinished; ) {
  isFinished = true
  for (const place of places) {
    const before = waysTo.get(place.type)
    if (!before) continue
    const way = [...before, place]
    for (const type of typesOf(place.field)) {
      const known = waysTo.get(type)
      if (known && costOf(known) <= costOf(way)) continue
      waysTo.set(type, way)
      isFinished = false
    }
  }
}

function operationTo(place: Place): { operation: string; way: Place[] } {
  const way = [...(waysTo.get(place.type) ?? []), place]
  const leaf = isLeafType(getNamedType(place.field.type)) ? '' : ' { __typename }'
  const selection = way.reduceRight(
    (inner, { type, field }) => `... on ${type} { ${callOf(field)}${inner} }`.replace(/^/, ' { ').concat(' }'),
    leaf,
  )
  const root = way[0]?.type.toLowerCase()
  return { operation: `${root}${selection}`, way }
}

const test = await createTestApp()
let own: GraphQLClient

beforeAll(async () => {
  const { program, ada } = await tellStory(test)
  own = await clientOf(test, program, ada.id)
})

describe('to an affiliate', () => {
  it('nothing is readable that this list does not name, and the list names nothing else', () => {
    const marked = places.filter(({ field }) => {
      const { forAffiliate } = field.extensions.pothosOptions as { forAffiliate?: unknown }
      return Boolean(forAffiliate)
    })
    const names = (some: Place[]) => some.map(({ type, field }) => `${type}.${field.name}`).sort()
    expect(names(marked)).toEqual(
      Object.entries(allowed)
        .flatMap(([type, fields]) => fields.map((field) => `${type}.${field}`))
        .sort(),
    )
    expect(names(places.filter(({ isAllowed }) => isAllowed))).toEqual(names(marked))
  })

  const refused = places.filter(({ isAllowed }) => !isAllowed)
  it('there are fields to walk, and a way to each', () => {
    expect(refused.length).toBeGreaterThan(150)
    for (const { type } of places) expect([type, waysTo.has(type)]).toEqual([type, true])
  })

  // Behind a refused field nothing else is asked, so these are the ones that an affiliate gets to.
  const reached = refused.filter(({ type }) => waysTo.get(type)?.every(({ isAllowed }) => isAllowed))
  it.each(reached.map((place) => ({ name: `${place.type}.${place.field.name}`, ...operationTo(place) })))(
    '$name is refused',
    async ({ operation, way }) => {
      const { errors } = (await own(operation).catch((thrown: Error) => thrown)) as { errors: GraphQLError[] }
      const first = way.find(({ isAllowed }) => !isAllowed)
      const told = new Set(errors.map(({ message, extensions }) => `${extensions.code} ${message}`))
      expect([...told]).toEqual([`FORBIDDEN An affiliate token does not read ${first?.type}.${first?.field.name}.`])
    },
  )

  it.each(refused.map(({ type, field }) => ({ name: `${type}.${field.name}`, field })))(
    '$name is refused whatever leads to it',
    ({ field }) => {
      const context = { actor: { kind: 'affiliate', affiliateId: 'somebody' }, namedProgram: { id: 'some program' } }
      const info = { fieldNodes: [] } as never
      expect(() => field.resolve?.({}, {}, context, info)).toThrow('An affiliate token does not read')
      if (field.subscribe) expect(() => field.subscribe?.({}, {}, context, info)).toThrow('An affiliate token')
    },
  )

  it('a row of somebody else shows nothing, whatever led to it', () => {
    const context = { actor: { kind: 'affiliate', affiliateId: 'me' }, namedProgram: { id: 'here' } }
    const info = { fieldNodes: [], fieldName: 'id' } as never
    const read = (type: string, row: object) =>
      places.find((place) => place.type === type && place.field.name === 'id')?.field.resolve?.(row, {}, context, info)
    for (const [type, row] of [
      ['Affiliate', { programId: 'here', id: 'you' }],
      ['Affiliate', { programId: 'there', id: 'me' }],
      ['Affiliate', { programId: 'here' }],
      ['Sale', { programId: 'here', id: 'sale', affiliateId: 'you' }],
      ['Commission', { programId: 'there', id: 'commission', affiliateId: 'me' }],
      ['Campaign', { programId: 'there', id: 'campaign' }],
    ] as const)
      expect(() => read(type, row)).toThrow("An affiliate token reads what is its own affiliate's alone.")
    expect(read('Affiliate', { programId: 'here', id: 'me' })).toBe('me')
    expect(read('Sale', { programId: 'here', id: 'sale', affiliateId: 'me' })).toBe('sale')
    expect(read('Campaign', { programId: 'here', id: 'campaign' })).toBe('campaign')
  })
})
