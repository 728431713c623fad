import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { beforeAll, expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'
import { createTestApp } from '../support/app.ts'
import { itEvery } from '../support/cells.ts'
import { reportSale } from '../support/factories.ts'
import { referenceOf } from './references.ts'
import { createWorld, idsOf, type Kind, rowsOf, unknownOf, type World } from './world.ts'

// Every condition on text or an id, of every list: another program's value finds what an unknown one finds.

const test = await createTestApp()
const theirs = createWorld(test, await test.createProgram(), 'zephyr')
const own = createWorld(test, await test.createProgram(), 'quokka')

type Condition = { path: string[]; kind: Kind; operator: string | null }
const comparisons = ['IDFilter', 'StringFilter', 'SearchableStringFilter']

/** The conditions of a type and, below each relation, of the related type. */
function conditionsOf(type: GraphQLInputObjectType, depth = 1): Condition[] {
  return Object.values(type.getFields()).flatMap((field): Condition[] => {
    const inner = getNamedType(field.type)
    if (['and', 'or', 'not'].includes(field.name)) return []
    if (inner.name === 'String') return leaf(type.name, field.name, null)
    if (comparisons.includes(inner.name)) return leaf(type.name, field.name, 'equals')
    if (!isInputObjectType(inner) || depth < 0) return []
    if (inner.name.startsWith('Some')) {
      const { some } = inner.getFields()
      return below([field.name, 'some'], getNamedType(some?.type) as GraphQLInputObjectType, depth)
    }
    return inner.name.endsWith('Where') ? below([field.name], inner, depth) : []
  })
}
const leaf = (place: string, name: string, operator: string | null): Condition[] => {
  const kind = referenceOf(place, name)
  return kind ? [{ path: [name], kind, operator }] : []
}
const below = (path: string[], type: GraphQLInputObjectType, depth: number) =>
  depth === 0
    ? []
    : conditionsOf(type, depth - 1).map((condition) => ({ ...condition, path: [...path, ...condition.path] }))

const queries = (publicSchema.getQueryType() as GraphQLObjectType).getFields()
const lists = Object.values(queries).flatMap((field) => {
  const where = field.args.find(({ name }) => name === 'where')
  // The preview of a mail uses the conditions of affiliates for the person whom it shows.
  return where && field.name !== 'previewMailToAffiliates'
    ? [{ field, where: getNamedType(where.type) as GraphQLInputObjectType }]
    : []
})

const conditionOf = ({ path, operator }: Condition, value: string): object =>
  [...path, ...(operator ? [operator] : [])].reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object

/** What a list shows of its rows. */
const shownBy = (name: string) =>
  name === 'analytics' ? 'totals { visitors leads conversions }' : 'totalCount nodes { id }'

/** A referral comes by a link or by a coupon. The one of this test that others refer to comes by a link. */
const impossible = [
  ...['id', 'linkId', 'billingCustomerId'].map((name) => `affiliateCoupons referrals.some.${name}`),
  'affiliateLinks referrals.some.couponId',
  // The invoice of this test is no credit note.
  'invoices correctsId',
]

let before: string
let foreignIds: string[]
beforeAll(async () => {
  for (const world of [theirs, own]) {
    for (const { where } of lists) for (const { kind } of conditionsOf(where)) await world.get(kind)
    await reportSale(world.program, {
      coupon: await world.get('couponToken'),
      email: `${world.word}-by-coupon@example.com`,
    })
  }
  // Reading payouts collects what is due.
  await theirs.program.get('/payouts')
  before = await rowsOf(test, theirs.program.id)
  foreignIds = await idsOf(test, theirs.program.id)
})

it('all types of conditions are those of a list', () => {
  const types = Object.values(publicSchema.getTypeMap()).filter((type) => isInputObjectType(type))
  const names = types.map(({ name }) => name).filter((name) => name.endsWith('Where') && !name.startsWith('Some'))
  expect(lists.map(({ where }) => where.name).sort()).toEqual(names.sort())
  expect(lists.length).toBeGreaterThan(10)
})

it('no other type has arguments of text or ids', () => {
  const isText = (name: string) => ['ID', 'String', 'EmailAddress'].includes(name)
  for (const type of Object.values(publicSchema.getTypeMap()).filter(isObjectType)) {
    if (type.name.startsWith('__') || type.name === 'Subscription') continue
    for (const field of Object.values(type.getFields()))
      for (const arg of field.args)
        if (isText(getNamedType(arg.type).name)) referenceOf(`${type.name}.${field.name}`, arg.name)
  }
})

for (const { field, where } of lists)
  itEvery(
    `${field.name}: every condition`,
    conditionsOf(where),
    ({ path }) => path.join('.'),
    async (condition) => {
      const [ownValue, foreign] = [await own.get(condition.kind), await theirs.get(condition.kind)]
      const unknown = unknownOf(theirs, foreign)
      const more = field.name === 'analytics' ? ', range: { preset: LAST_12_MONTHS }' : ''
      const parts = ['own', 'foreign', 'unknown', 'notForeign', 'notUnknown'].map(
        (name) => `${name}: ${field.name}(where: $${name}${more}) { ${shownBy(field.name)} }`,
      )
      const negation = where.getFields().not
        ? (value: string) => ({ not: conditionOf(condition, value) })
        : (value: string) => conditionOf(condition, value)
      const variables = {
        own: conditionOf(condition, ownValue),
        foreign: conditionOf(condition, foreign),
        unknown: conditionOf(condition, unknown),
        notForeign: negation(foreign),
        notUnknown: negation(unknown),
      }
      const declared = Object.keys(variables).map((name) => `$${name}: ${where.name}`)
      const query = `query (${declared.join(', ')}) { ${parts.join(' ')} }`
      const answer = await own.program.graphql(query, variables)
      expect(answer.foreign).toEqual(answer.unknown)
      expect(answer.notForeign).toEqual(answer.notUnknown)
      if (!impossible.includes(`${field.name} ${condition.path.join('.')}`))
        expect(answer.own).not.toEqual(answer.unknown)
      for (const id of foreignIds) expect(JSON.stringify(answer)).not.toContain(id)
    },
  )

/** Arguments without which a list cannot be asked. */
const required: Record<string, string> = { history: 'subject: AFFILIATE, id: $affiliate,' }
/** Of no program: operators only read it. */
const ofInstallation = ['installationHistory']
const paged = Object.values(queries).filter(
  ({ name, args }) => args.some(({ name }) => name === 'after') && !ofInstallation.includes(name),
)

itEvery(
  'a cursor of another program is a position, as one of an unknown row',
  paged.map(({ name }) => name),
  (name) => name,
  async (name) => {
    const declared = name in required ? '($affiliate: ID!)' : ''
    const ask = async (world: World, args: string) => {
      const query = `query ${declared} { ${name}(${required[name] ?? ''} ${args}) { totalCount nodes { __typename } pageInfo { endCursor } } }`
      const answer = await world.program.graphql(query, declared ? { affiliate: await world.get('affiliate') } : {})
      return answer[name]
    }
    const { endCursor: cursor } = (await ask(theirs, 'first: 1')).pageInfo
    // Only the ids of rows are replaced. The values that rows are sorted by stay.
    const text = Buffer.from(cursor ?? '', 'base64url').toString()
    const unknown = Buffer.from(text.replaceAll(/[0-9a-f]{4}(?="?\]?$)/g, 'dead')).toString('base64url')
    for (const argument of ['first: 100, after', 'last: 100, before']) {
      const found = await ask(own, `${argument}: ${JSON.stringify(cursor)}`)
      expect(found).toEqual(await ask(own, `${argument}: ${JSON.stringify(unknown)}`))
      expect(found.totalCount).toBe((await ask(own, 'first: 1')).totalCount)
    }
  },
)

it('nothing of the other program has changed', async () => {
  expect(await rowsOf(test, theirs.program.id)).toBe(before)
})
