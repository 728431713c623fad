import fc from 'fast-check'
import {
  type ExecutionArgs,
  execute as executeInterpreted,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { expect, it } from 'vitest'
import { execute, executeToJson } from '../../src/execution/execute.ts'
import { textOf } from '../../src/execution/write.ts'
import type { GraphQLContext } from '../../src/graphql/context.ts'
import type { Actor } from '../../src/kernel/context.ts'
import { publicSchema } from '../../src/schema/schema.ts'
import { createTestApp } from '../support/app.ts'
import { silentLog } from '../support/database.ts'
import { createLead, createSeller, reportSale } from '../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
for (const external_id of ['1', '2', '3']) {
  const { link, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  const { email } = await createLead(program, link.token)
  await reportSale(program, { email, amount_cents: 5000, external_id })
  await reportSale(program, { coupon, email: `${external_id}@example.com`, external_id: `coupon-${external_id}` })
  await program.post('/conversions/refund', { external_id, amount_cents: 100 })
}
await program.get('/payouts')

const { db } = app.database
const row = await db.program.findFirstOrThrow()
const affiliate = await db.affiliate.findFirstOrThrow()

/** A new one for each execution: Pothos and data loaders keep what they have read in it. */
const contextOf = (actor: Actor): GraphQLContext => ({
  db,
  now: () => app.clock.now,
  trueNow: () => app.clock.now,
  log: silentLog,
  requestId: 'test',
  actor,
  namedProgram: row,
  profile: 'contract',
  words: 'contract',
  affiliateUrl: 'http://localhost:4000',
  publicUrl: 'http://localhost',
  payoutServices: { key: Buffer.alloc(32), urls: {}, now: () => new Date() },
  webhooks: { key: Buffer.alloc(32), targets: { problemOf: () => Promise.resolve(null) } },
  events: { open: () => Promise.reject(new Error('no events')), answered() {}, end() {} },
})

const isOpen = ({ args }: GraphQLField<unknown, unknown>) =>
  args.every(({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined)
const hasFirst = ({ args }: GraphQLField<unknown, unknown>) => args.some(({ name }) => name === 'first')

/** Random fields of a type, some with aliases, directives, fragments and arguments. */
function selection(type: GraphQLObjectType, depth: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter(
    (field) => isOpen(field) && (depth > 0 || isLeafType(getNamedType(field.type))),
  )
  return fc.subarray(fields, { maxLength: Math.min(5, fields.length) }).chain((chosen) => {
    const texts = chosen.map((field) => fieldText(field, depth))
    return fc.tuple(fc.constant('__typename'), ...texts).map((all) => all.join(' '))
  })
}

function fieldText(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
  const type = getNamedType(field.type)
  const below = isObjectType(type)
    ? selection(type, depth - 1).map((inner) => `{ ${inner} }`)
    : isLeafType(type)
      ? fc.constant('')
      : fc.constant('{ __typename id }')
  const call = hasFirst(field) ? fc.constantFrom('', '(first: 2)', '(first: $first)') : fc.constant('')
  const directive = fc.constantFrom('', '', '', '@include(if: $yes)', '@skip(if: $yes)', '@skip(if: $no)')
  return fc
    .tuple(below, call, directive, fc.boolean(), fc.boolean())
    .map(([inner, args, when, isAliased, isInFragment]) => {
      const text = `${isAliased ? `a_${field.name}: ` : ''}${field.name}${args} ${when} ${inner}`
      return isInFragment ? `... @include(if: $yes) { ${text} }` : text
    })
}

const ofProgram = selection(publicSchema.getQueryType() as GraphQLObjectType, 4).map(
  (fields) =>
    `page: affiliates(first: $first) { nodes { id } } node(id: "${affiliate.id}") { __typename id ... on Affiliate { email campaign { name } } } links: affiliateLinks(first: 2) { nodes { url affiliate { email campaign { name createdAt } } } } ${fields}`,
)
/** Some of these fields are forbidden to affiliates. */
const ofAffiliate = selection(publicSchema.getType('Affiliate') as GraphQLObjectType, 4).map(
  (fields) => `me { ${fields} ownLinks: links(first: $first) { nodes { url } } }`,
)

/** As a client receives it. */
async function answerOf(run: typeof execute | typeof executeInterpreted, args: ExecutionArgs, actor: Actor) {
  const result = await run({ ...args, contextValue: contextOf(actor) })
  return JSON.stringify(result)
}

it.each<Actor>([
  { kind: 'api_key', id: row.id, access: 'full' },
  { kind: 'operator' },
  { kind: 'affiliate', affiliateId: affiliate.id },
])(
  '$kind: random queries are answered as GraphQL answers them',
  async (actor) => {
    await fc.assert(
      fc.asyncProperty(
        actor.kind === 'affiliate' ? ofAffiliate : ofProgram,
        fc.boolean(),
        fc.integer({ min: 0, max: 3 }),
        async (fields, yes, first) => {
          const text = `query Random($yes: Boolean!, $no: Boolean = false, $first: Int) { asked: __typename @include(if: $yes) @skip(if: $no) ${fields} }`
          const document = parse(text)
          expect(validate(publicSchema, document).map(({ message }) => message)).toEqual([])
          const args = { schema: publicSchema, document, variableValues: { yes, first } }
          const expected = await answerOf(executeInterpreted, args, actor)
          expect(await answerOf(execute, args, actor)).toBe(expected)
          const written = await executeToJson({ ...args, contextValue: contextOf(actor) })
          expect(textOf(written)).toBe(expected)
        },
      ),
      { numRuns: 20 },
    )
  },
  60_000,
)

it('a list below a related row that is read twice has its own arguments', async () => {
  const query =
    '{ commissions(first: 1) { nodes { program { sales(first: 1) { nodes { id } } } again: program { name } } } }'
  const args = { schema: publicSchema, document: parse(query), contextValue: contextOf({ kind: 'operator' }) }
  const { data } = await execute(args)
  expect(data).toMatchObject({ commissions: { nodes: [{ program: { sales: { nodes: [{}] } } }] } })
})
