import fc from 'fast-check'
import {
  type ExecutionArgs,
  execute as executeInterpreted,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { expect, it } from 'vitest'
import { execute, executeToJson } from '../../src/execution/execute.ts'
import { extensionsOf } from '../../src/execution/pothos.ts'
import { textOf } from '../../src/execution/write.ts'
import type { GraphQLContext } from '../../src/graphql/context.ts'
import { keepQueries } from '../../src/graphql/nested-query.ts'
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

/** Random fields of rows that are columns, related rows or lists of them, so that the query for the rows names columns. */
function storedFields(type: GraphQLObjectType, depth: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter((field) => {
    const { pothosExposedField, pothosPrismaRelationField, connectedRows, columns } = extensionsOf(field)
    const isLeaf = isLeafType(getNamedType(field.type))
    return isLeaf ? (pothosExposedField ?? columns) : depth > 0 && (pothosPrismaRelationField ?? connectedRows)
  })
  return fc
    .subarray(fields, { minLength: 1, maxLength: Math.min(5, fields.length) })
    .chain((chosen) => fc.tuple(...chosen.map((field) => rowsText(field, depth))).map((texts) => texts.join(' ')))
}

function rowsText(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
  const type = getNamedType(field.type)
  if (!isObjectType(type)) return fc.constant(field.name)
  const node = type.getFields().nodes
  if (!node)
    return fc
      .array(storedFields(type, depth - 1), { minLength: 1, maxLength: 2 })
      .map((all) =>
        all.map((below, at) => `${at === 0 ? '' : `${field.name}_again: `}${field.name} { ${below} }`).join(' '),
      )
  const orders = getNamedType(field.args.find(({ name }) => name === 'orderBy')?.type)
  const fields = isInputObjectType(orders) ? orders.getFields().field?.type : undefined
  const sorts = fields ? (getNamedType(fields) as GraphQLEnumType).getValues().map(({ name }) => name) : []
  const args = sorts.map((sort) => `(first: 2, orderBy: { field: ${sort}, direction: ASC })`)
  return fc
    .tuple(
      storedFields(getNamedType(node.type) as GraphQLObjectType, depth - 1),
      fc.constantFrom('', ...args),
      fc.boolean(),
    )
    .map(([below, call, hasCursors]) =>
      hasCursors
        ? `${field.name}${call} { edges { cursor node { ${below} } } pageInfo { endCursor } totalCount }`
        : `${field.name}${call} { nodes { ${below} } }`,
    )
}

const lists = ['affiliates', 'affiliateLinks', 'campaigns', 'commissions', 'customers', 'payouts', 'referrals', 'sales']
const ofRows = fc
  .constantFrom(...lists)
  .chain((list) => rowsText(publicSchema.getQueryType()?.getFields()[list] as GraphQLField<unknown, unknown>, 3))

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

it('random columns of rows and of related rows are answered the same the first time and later', async () => {
  await fc.assert(
    fc.asyncProperty(ofRows, async (rows) => {
      const document = parse(`{ ${rows} }`)
      expect(validate(publicSchema, document)).toEqual([])
      const args = { schema: publicSchema, document }
      const actor: Actor = { kind: 'api_key', id: row.id, access: 'full' }
      const expected = await answerOf(executeInterpreted, args, actor)
      keepQueries(document.definitions[0] as OperationDefinitionNode)
      for (const _ of ['planned', 'kept']) {
        const written = await executeToJson({ ...args, contextValue: contextOf(actor) })
        expect(textOf(written)).toBe(expected)
      }
    }),
    { numRuns: 50 },
  )
}, 60_000)

it('a list below a related row that is read twice has its own arguments', async () => {
  const query =
    '{ commissions(first: 1) { nodes { program { sales(first: 1) { nodes { id } } } again: program { name } } } }'
  const args = { schema: publicSchema, document: parse(query), contextValue: contextOf({ kind: 'operator' }) }
  const { data } = await execute(args)
  expect(data).toMatchObject({ commissions: { nodes: [{ program: { sales: { nodes: [{}] } } }] } })
})
