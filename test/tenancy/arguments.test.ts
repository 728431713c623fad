import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'
import { createTestApp } from '../support/app.ts'
import { itEvery } from '../support/cells.ts'
import { addMember, setUpOperator, type TestBrowser } from '../support/people.ts'
import { referenceOf } from './references.ts'
import { comparable, createWorld, idsOf, type Kind, rowsOf, unknownOf, unknownWord, type World } from './world.ts'

// Every argument of every query and mutation that refers to something, with a value of another program and with an unknown
// one: the answers are the same, and nothing of the other program changes. With a value of the own program, the answer differs.

const test = await createTestApp()
const olga = await setUpOperator(test)
let theirs: World
/** The queries are asked here. */
let reader: OwnedWorld
let foreignIds: string[]
let before: string

const access = async (world: World, browser: TestBrowser) => {
  const graphql = browser.graphql(world.program.slug)
  const { members } = await graphql('{ members { person { id email } } }')
  const { inviteMember } = await graphql(
    'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { id } } }',
    { input: { email: `${world.word}-invited@example.com`, role: 'ANALYST' } },
  )
  return { person: members[0].person.id as string, invitation: inviteMember.invitation.id as string }
}

let owners = 0
type OwnedWorld = { world: World; owner: TestBrowser | null }

/** A program, with an owner who is signed in where only owners can do something. */
async function createOwnedWorld(word: string, isOwned: boolean): Promise<OwnedWorld> {
  const program = await test.createProgram()
  owners += 1
  const given: Partial<Record<Kind, string>> = {
    memberEmail: `${word}-owner-${owners}@example.com`,
    invitedEmail: `${word}-invited@example.com`,
  }
  const world = createWorld(test, program, word, given)
  if (!isOwned) return { world, owner: null }
  const email = given.memberEmail as string
  const owner = await addMember(test, olga, program.slug, { email, role: 'OWNER' })
  Object.assign(given, await access(world, owner))
  return { world, owner }
}

beforeAll(async () => {
  theirs = (await createOwnedWorld('zephyr', true)).world
  reader = await createOwnedWorld('quokka', true)
  for (const { kind, cells } of operations)
    for (const cell of cells) {
      await theirs.get(cell.kind)
      if (kind === 'query') await reader.world.get(cell.kind)
    }
  before = await rowsOf(test, theirs.program.id)
  foreignIds = await idsOf(test, theirs.program.id)
})

type Cell = { path: string[]; kind: Kind }
type Operation = { kind: 'query' | 'mutation'; field: GraphQLField<unknown, unknown>; cells: Cell[] }

/** The arguments that refer to something, with the path to each in an operation's variables. */
function cellsOf(place: string, name: string, type: GraphQLInputType): Cell[] {
  const inner = getNamedType(type)
  if (inner.name.endsWith('Where')) return []
  if (isInputObjectType(inner)) {
    return Object.values(inner.getFields()).flatMap((field) =>
      cellsOf(inner.name, field.name, field.type).map((cell) => ({ ...cell, path: [name, ...cell.path] })),
    )
  }
  if (!['ID', 'String', 'EmailAddress'].includes(inner.name)) return []
  const kind = referenceOf(place, name)
  return kind ? [{ path: [name], kind }] : []
}

const operations: Operation[] = (['Query', 'Mutation'] as const).flatMap((root) =>
  Object.values((publicSchema.getType(root) as any).getFields() as Record<string, GraphQLField<unknown, unknown>>).map(
    (field) => ({
      kind: root === 'Query' ? ('query' as const) : ('mutation' as const),
      field,
      cells: field.args.flatMap((arg) => cellsOf(`${root}.${field.name}`, arg.name, arg.type)),
    }),
  ),
)

const samples: Record<string, unknown> = {
  String: 'x',
  ID: 'x',
  Int: 1,
  Float: 1,
  SafeInt: 1,
  Boolean: false,
  DateTime: '2026-01-01T00:00:00.000Z',
  EmailAddress: 'somebody@example.com',
  URL: 'https://127.0.0.1/there',
  Currency: 'usd',
  AnalyticsRange: { preset: 'LAST_12_MONTHS' },
  CampaignRules: { rewardType: 'PERCENT', commissionPercent: 5 },
  'SendTestEventInput.type': 'sale.created',
  'ImportAffiliatesInput.csv': 'email\nsomebody@example.com',
  'UpdateMemberInput.role': 'ANALYST',
  'Query.previewMail.kind': 'PAYOUT_SENT',
  'Query.previewMail.language': 'en',
  'SendTestMailInput.kind': 'PAYOUT_SENT',
  'SendTestMailInput.language': 'en',
}

/** Arguments of which an operation needs at least one; the first one is given unless the cell is another. */
const needed: Record<string, string[]> = {
  RefundSaleInput: ['saleId', 'externalId'],
  ReverseRefundInput: ['refundId', 'externalId'],
  ReportConversionInput: ['referralId', 'email', 'coupon'],
  UpdateAffiliateLinkInput: ['token'],
}
const extra: Record<string, Record<string, unknown>> = {
  AmendCommissionInput: { amountCents: 7 },
  CreateCampaignInput: { commissionPercent: 5 },
  RefundSaleInput: { amountCents: 1 },
  CommissionRuleRewardInput: { percent: 5 },
}

/** The smallest input: what is required, with references to the own program. */
async function sampleOf(
  type: GraphQLInputType,
  place: string,
  name: string,
  world: World,
  cell: string[],
): Promise<unknown> {
  if (isNonNullType(type)) return sampleOf(type.ofType as GraphQLInputType, place, name, world, cell)
  if (isListType(type)) return [await sampleOf(type.ofType as GraphQLInputType, place, name, world, cell)]
  const sample = samples[`${place}.${name}`] ?? samples[type.name]
  if (['ID', 'String', 'EmailAddress'].includes(type.name)) {
    const kind = referenceOf(place, name)
    return kind && !isMade(place, name) ? world.get(kind) : sample
  }
  if (sample !== undefined) return sample
  if (isEnumType(type)) return type.getValues()[0]?.name
  return inputOf(type as GraphQLInputObjectType, world, cell)
}

/** A new record gets texts that are not taken. */
const isMade = (place: string, name: string) =>
  /^Create.*Input$/.test(place) && ['email', 'token', 'slug'].includes(name)

async function inputOf(type: GraphQLInputObjectType, world: World, [name = '', ...inner]: string[]) {
  const choices = needed[type.name] ?? []
  const chosen = choices.includes(name) ? name : choices[0]
  const given = Object.values(type.getFields()).filter(
    (field) => isNonNullType(field.type) || field.name === chosen || (field.name === name && inner.length > 0),
  )
  const entries = given.map(async (field) => [
    field.name,
    await sampleOf(field.type, type.name, field.name, world, field.name === name ? inner : []),
  ])
  return { ...extra[type.name], ...Object.fromEntries(await Promise.all(entries)) }
}

type Argument = { name: string; type: GraphQLInputType }

/** Sets the value at a path. A list gets the value alone. */
function withValue(variables: any, args: readonly Argument[], [name = '', ...inner]: string[], value: string): any {
  const arg = args.find((each) => each.name === name)
  if (!arg) throw new Error(`There is no ${name}.`)
  const named = getNamedType(arg.type)
  const isList = isListType(isNonNullType(arg.type) ? arg.type.ofType : arg.type)
  if (inner.length === 0) return { ...variables, [name]: isList ? [value] : value }
  const fields = Object.values((named as GraphQLInputObjectType).getFields())
  const current = isList ? variables[name][0] : variables[name]
  const changed = withValue(current ?? {}, fields, inner, value)
  return { ...variables, [name]: isList ? [changed] : changed }
}

/** All values of the answer's type, and the ids of what it leads to. */
function selectionOf(type: GraphQLOutputType, depth = 2): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (!isObjectType(named)) return '{ __typename id }'
  const fields = Object.values(named.getFields()).filter(({ args }) => args.every(({ type }) => !isNonNullType(type)))
  const parts = fields.flatMap((field): string[] => {
    const inner = getNamedType(field.type)
    if (isLeafType(inner)) return [field.name]
    if (depth === 0 || field.name === 'edges') return []
    return [`${field.name} ${selectionOf(field.type, depth - 1)}`]
  })
  return `{ __typename ${parts.filter((part) => !part.endsWith('{}')).join(' ')} }`
}

const documentOf = ({ kind, field }: Operation, used: string[]) => {
  const args = field.args.filter(({ name }) => used.includes(name))
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  const selection = selectionOf(field.type, kind === 'query' && !shallow.includes(field.name) ? 2 : 1)
  return `${kind} ${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`
}

const roleOf = ({ field }: Operation) => (field.extensions.pothosOptions as { forRole?: string } | undefined)?.forRole

/** Texts that are stored and need not be unique: the answer is the same if another record of the own program has them. */
const mayRepeat: Kind[] = ['billingId', 'affiliateBillingId', 'invitedEmail', 'memberEmail', 'walletA', 'walletB']

/** The record already has the value, or the program has nothing that the value finds. */
const sameForOwn = [
  // The answer must not say which e-mails are known.
  'apply input.email',
  // Applicants can be invited too.
  'inviteApplicants input.emails',
  // Only an affiliate token can use them.
  'archiveMyLink input.id',
  'createMyLink input.token',
  // The month is not closed.
  'createInvoices input.affiliateId',
  'endMySessions input.id',
  'payoutPreview affiliateId',
  // Nobody of the program has done anything yet.
  'programHistory personId',
  'recordLead input.email',
  'recordSale input.email',
  // The program uses tokens of no provider: see test/modules/affiliates/agents.
  'reportConversion input.affiliateAttribution.publisherId',
  'reportConversion input.affiliateAttribution.token',
  'updateAffiliate input.email',
  'updateAffiliateGroup input.name',
  'updateAffiliateLink input.token',
]
const onlyForOperators = ['updateProgram']
/** A test goes to the person who asks for it. */
const onlyForPeople = ['sendTestMail']
/** All values of all that it finds would cost too much. */
const shallow = ['search']

it('there are cells for more than a hundred arguments', () => {
  expect(operations.flatMap(({ cells }) => cells).length).toBeGreaterThan(100)
})

const named = operations.filter(({ cells }) => cells.length > 0).map((each) => [each.field.name, each] as const)
describe.each(named)('%s', (name, operation) => {
  const role = roleOf(operation)
  const place = `${operation.kind === 'query' ? 'Query' : 'Mutation'}.${name}`
  const isWrite = operation.kind === 'mutation'
  const isOwned = role === 'owner' || onlyForPeople.includes(name)
  const isOpen = role !== 'operator' && !onlyForOperators.includes(name)

  async function answerTo(value: string, { path }: Cell, { world, owner }: OwnedWorld) {
    const given = operation.field.args.filter((arg) => isNonNullType(arg.type) || arg.name === path[0])
    const base: Record<string, unknown> = {}
    for (const arg of given) base[arg.name] = await sampleOf(arg.type, place, arg.name, world, path.slice(1))
    const variables = withValue(base, operation.field.args, path, value)
    const send = owner && isOwned ? owner.graphql(world.program.slug) : world.program.graphql
    const answer = await send(documentOf(operation, Object.keys(variables)), variables).catch(({ errors }) => ({
      errors,
    }))
    const text = JSON.stringify(answer)
    return { text, comparable: await comparable(text, value, [theirs.word, unknownWord], world) }
  }

  const pathOf = ({ path }: Cell) => path.join('.')
  itEvery('every argument', operation.cells, pathOf, async (cell) => {
    const foreign = await theirs.get(cell.kind)
    const isId = /^[0-9a-f-]{36}$/.test(foreign)
    // A text of another program can be used, so each value is used in a program of its own.
    const shared = isWrite ? isId && (await createOwnedWorld('quokka', isOwned)) : reader
    const there = async () => shared || (await createOwnedWorld('quokka', isOwned))
    const forForeign = await answerTo(foreign, cell, await there())
    const forUnknown = await answerTo(unknownOf(theirs, foreign), cell, await there())
    expect(forForeign.comparable).toBe(forUnknown.comparable)
    expect(foreignIds.filter((id) => forForeign.text.replaceAll(foreign, '').includes(id))).toEqual([])
    const own = await there()
    const forOwn = await answerTo(await own.world.get(cell.kind), cell, own)
    const canBeSame = mayRepeat.includes(cell.kind) || sameForOwn.includes(`${name} ${pathOf(cell)}`)
    if (isOpen && !canBeSame) expect(forOwn.comparable).not.toBe(forUnknown.comparable)
  })

  it('has changed nothing of the other program', async () => {
    expect(await rowsOf(test, theirs.program.id)).toBe(before)
  })
})
