import { beforeAll, describe, expect, it } from 'vitest'
import { superset } from '../rest/openapi-contract.ts'
import { createTestApp, restClient } from '../support/app.ts'
import { itEvery } from '../support/cells.ts'
import { referenceOf } from './references.ts'
import { comparable, createWorld, idsOf, type Kind, rowsOf, unknownOf, unknownWord, type World } from './world.ts'

// Every parameter and every field of a body that refers to something, with a value of another program and with an unknown one.

const test = await createTestApp({ requestsPer30Seconds: 1_000_000 })
const theirs = createWorld(test, await test.createProgram(), 'zephyr')
const reader = createWorld(test, await test.createProgram(), 'quokka')
let foreignIds: string[]
let before: string

type Cell = { in: 'path' | 'query' | 'body' | 'header'; name: string; kind: Kind }

/** Only keys with the superset profile have these routes. */
const ofSuperset = [
  'POST /commissions',
  'PUT /sales/{id}',
  'GET /invoices/{id}.pdf',
  'GET /statements',
  'GET /statements/{id}',
  'GET /statements/{id}.json',
  'GET /statements/{id}.pdf',
]

const operations = superset.operations
  .filter(({ operation }) => !operation.security)
  .map(({ method, path, operation }) => {
    const body = superset.resolve(operation.requestBody?.content['application/json'].schema) ?? {}
    const parameters = ((operation.parameters ?? []) as object[]).map((parameter) => superset.resolve(parameter))
    const fields = [
      ...parameters.map((parameter) => ({ ...parameter, isText: isText(parameter.schema) })),
      ...Object.entries(body.properties ?? {}).map(([name, schema]) => ({
        in: 'body',
        name,
        isText: isText(schema as object),
      })),
    ].filter((field) => field.isText && field.in !== 'header')
    const cells = fields.flatMap(({ in: where, name }): Cell[] => {
      const kind = referenceOf(path, name, where === 'body')
      return kind ? [{ in: where, name, kind }] : []
    })
    return { name: `${method} ${path}`, method, path, cells, required: (body.required ?? []) as string[] }
  })

/** Whether a value of the schema is a text that can refer to something, or a list of such. */
function isText(given: object): boolean {
  const schema = superset.resolve(given)
  const types = [schema.type].flat()
  if (types.includes('array')) return isText(schema.items)
  return schema.enum ? false : types.includes('string') || (schema.anyOf ?? schema.oneOf ?? []).some(isText)
}

const samples: Record<string, unknown> = {
  name: 'x',
  email: 'somebody@example.com',
  url: 'https://acme.test',
  amount_cents: 100,
  token: 'taken-by-nobody',
  method: 'manual',
  reason: 'x',
  kind: 'bonus',
}
/** Fields of which at least one is needed. */
const needed: Record<string, Record<string, Kind>> = {
  '/conversions': { coupon: 'couponToken' },
  '/conversions/refund': { sale_id: 'sale' },
  '/conversions/refund/reverse': { refund_id: 'refund' },
}
const alternatives = ['referral_id', 'email', 'coupon', 'sale_id', 'refund_id', 'external_id']

beforeAll(async () => {
  for (const { method, cells } of operations)
    for (const { kind } of cells) {
      await theirs.get(kind)
      if (method === 'GET') await reader.get(kind)
    }
  before = await rowsOf(test, theirs.program.id)
  foreignIds = await idsOf(test, theirs.program.id)
})

it('there are cells for the routes of records', () => {
  expect(operations.flatMap(({ cells }) => cells).length).toBeGreaterThan(80)
})

describe.each(operations.filter(({ cells }) => cells.length > 0).map((each) => [each.name, each] as const))(
  '%s',
  (name, { method, path, cells, required }) => {
    async function answerTo(value: string, cell: Cell, world: World) {
      const idKind = cells.find((each) => each.in === 'path')?.kind
      const id = cell.in === 'path' ? value : idKind && (await world.get(idKind))
      const query = cell.in === 'query' ? `?${new URLSearchParams({ [cell.name]: value })}` : ''
      const format = path === '/payouts/export' ? `${query ? '&' : '?'}format=wallet_a` : ''
      const init = method === 'GET' || method === 'DELETE' ? {} : await bodyOf(value, cell, world)
      const to = path.replace('{id}', encodeURIComponent(id ?? '')) + query + format
      const client = ofSuperset.includes(name) ? await supersetOf(world) : world.program
      const { status, body } = await client.send(to, { method, ...init })
      const text = `${status} ${typeof body === 'string' ? body : JSON.stringify(body)}`
      return { text, comparable: await comparable(text, value, [theirs.word, unknownWord], world) }
    }

    async function bodyOf(value: string, cell: Cell, world: World): Promise<RequestInit> {
      const body: Record<string, unknown> = {}
      for (const field of required) {
        const kind = cells.find((each) => each.in === 'body' && each.name === field)?.kind
        body[field] = samples[field] ?? (kind ? await world.get(kind) : 1)
      }
      const isAlternative = cell.in === 'body' && alternatives.includes(cell.name) && cell.name !== 'external_id'
      const isExternalId = cell.name === 'external_id' && path.startsWith('/conversions/refund')
      if (!isAlternative && !isExternalId)
        for (const [field, kind] of Object.entries(needed[path] ?? {})) body[field] = await world.get(kind)
      if (path === '/conversions') body.amount_cents = 100
      if (path === '/campaigns') body.commission_percent = 5
      if (path === '/commissions/{id}') body.amount = 7
      if (path === '/affiliate_links/{id}' || path.endsWith('/links')) body.token = 'another-token'
      if (cell.in === 'body') body[cell.name] = value
      return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    }

    itEvery(
      'every field',
      cells,
      (cell) => `${cell.in} ${cell.name}`,
      async (cell) => {
        const foreign = await theirs.get(cell.kind)
        const isId = /^[0-9a-f-]{36}$/.test(foreign)
        const create = async () => createWorld(test, await test.createProgram(), 'quokka')
        // A text of another program can be used, so each value is used in a program of its own.
        const shared = method === 'GET' ? reader : isId && (await create())
        const forForeign = await answerTo(foreign, cell, shared || (await create()))
        const forUnknown = await answerTo(unknownOf(theirs, foreign), cell, shared || (await create()))
        expect(forForeign.comparable).toBe(forUnknown.comparable)
        expect(foreignIds.filter((id) => forForeign.text.replaceAll(foreign, '').includes(id))).toEqual([])
        const own = shared || (await create())
        const forOwn = await answerTo(await own.get(cell.kind), cell, own)
        if (!sameForOwn(name, cell.name)) expect(forOwn.comparable).not.toBe(forUnknown.comparable)
      },
    )

    it('has changed nothing of the other program', async () => {
      expect(await rowsOf(test, theirs.program.id)).toBe(before)
    })
  },
)

async function supersetOf({ program }: World) {
  const { createApiKey } = await test.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Superset", profile: SUPERSET }) { secret } }',
    { id: program.id },
  )
  return restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
}

/** Texts that need not be unique, and those that the record of the path already has. */
function sameForOwn(route: string, field: string): boolean {
  if (/wallet|paypal|wise/.test(field)) return true
  if (/^(POST|PUT)/.test(route) && /(billing|stripe)_customer_id/.test(field)) return true
  // The program has no visit yet, and no payment: one would take its payouts.
  if (/\/exports\/(visits|payments)$/.test(route)) return true
  return /^PUT .*{id}/.test(route) && ['email', 'token'].includes(field)
}
