import { isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'
import { createTestApp, type GraphQLClient, graphqlClient } from '../support/app.ts'
import { addMember, setUpOperator } from '../support/people.ts'
import { createWorld } from '../tenancy/world.ts'

const objects = Object.values(publicSchema.getTypeMap()).filter(isObjectType)
const nodes = objects.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node')).map(({ name }) => name)

/** Types that own their id, but are in no program, read only as a list, or not found before the e-mail is confirmed. */
const owners = ['AffiliateSession', 'InstallationHistoryEntry', 'SentApplication']

it('caches take `id` for the identity of an object: a type with `id` is a Node, or owns its id', () => {
  const withId = objects.filter((type) => type.getFields().id).map(({ name }) => name)
  expect(withId.filter((name) => !nodes.includes(name))).toEqual(owners)
})

const test = await createTestApp()
const olga = await setUpOperator(test)

async function createStaffed(word: string) {
  const program = await test.createProgram()
  const join = async (role: string) => {
    const email = `${word}-${role.toLowerCase()}@example.com`
    return (await addMember(test, olga, program.slug, { email, role })).graphql(program.slug)
  }
  return {
    program,
    world: createWorld(test, program, word),
    owner: await join('OWNER'),
    manager: await join('MANAGER'),
  }
}

const own = await createStaffed('own')
const other = await createStaffed('other')

const first = async (query: string, find: (data: any) => { id: string }) => find(await own.owner(query)).id
const inWorld: Record<string, Parameters<typeof own.world.get>[0]> = {
  ...{
    Affiliate: 'affiliate',
    AffiliateCoupon: 'coupon',
    AffiliateLink: 'link',
    ApiKey: 'apiKey',
    Application: 'application',
    Asset: 'asset',
    Mail: 'mail',
    Branch: 'branch',
    Campaign: 'campaign',
  },
  ...{ Commission: 'commission', Customer: 'customer', Event: 'event', FailedRequest: 'failedRequest' },
  ...{
    Payout: 'payout',
    PayoutRun: 'payoutRun',
    PayoutService: 'payoutService',
    Proposal: 'proposal',
    PayoutRunItem: 'payoutRunItem',
    CommissionRule: 'commissionRule',
    AffiliateGroup: 'group',
    Program: 'program',
    Referral: 'referral',
    Refund: 'refund',
    Sale: 'sale',
    Statement: 'statement',
    Invoice: 'invoice',
  },
  ...{
    UnattributedSale: 'unattributedSale',
    WaitingRefund: 'waitingRefund',
    Feed: 'feed',
    FeedEvent: 'feedEvent',
    WebhookDelivery: 'webhookDelivery',
    WebhookEndpoint: 'webhookEndpoint',
  },
}
const ofOwner: Record<string, () => Promise<string>> = {
  HistoryEntry: () => first('{ programHistory { nodes { id } } }', (data) => data.programHistory.nodes[0]),
  Invitation: () =>
    first(
      'mutation { inviteMember(input: { email: "guest@example.com", role: ANALYST }) { invitation { id } } }',
      (data) => data.inviteMember.invitation,
    ),
  Member: () => first('{ members { id } }', (data) => data.members[0]),
  Person: () => first('{ viewer { person { id } } }', (data) => data.viewer.person),
  SavedQuery: () =>
    first(
      'mutation { saveQuery(input: { name: "By/month", query: "{ program { id } }" }) { savedQuery { id } } }',
      (data) => data.saveQuery.savedQuery,
    ),
  SavedView: () =>
    first(
      'mutation { saveView(input: { list: SALES, name: "This/month", query: "from=x" }) { savedView { id } } }',
      (data) => data.saveView.savedView,
    ),
}
const idOf = (type: string): Promise<string> => {
  const kind = inWorld[type]
  return kind ? own.world.get(kind) : (ofOwner[type]?.() ?? Promise.reject(new Error(`This test has no ${type}.`)))
}

const find = async (client: GraphQLClient, id: string) =>
  (await client('query ($id: ID!) { node(id: $id) { __typename id } }', { id })).node

/** What only those who manage access see, and saved views, which are their person's. */
const hidden = ['ApiKey', 'Invitation', 'Member', 'Person', 'SavedView']

/** What people share, and keys do not see. */
const forPeople = ['SavedQuery']

describe.each(nodes)('a node of the type %s', (type) => {
  it('is found by its id in its program, by callers that may read it', async () => {
    const id = await idOf(type)
    const found = { __typename: type, id }
    expect(await find(own.owner, id)).toEqual(found)
    expect(await find(own.manager, id)).toEqual(hidden.includes(type) ? null : found)
    expect(await find(own.program.graphql, id)).toEqual([...hidden, ...forPeople].includes(type) ? null : found)
  })

  it('is null in another program', async () => {
    const id = await idOf(type)
    for (const stranger of [other.owner, other.program.graphql]) expect(await find(stranger, id)).toBeNull()
  })
})

it('entries of the history about access are found only by callers that see them in the history', async () => {
  const id = await first('{ programHistory(subject: MEMBER) { nodes { id } } }', (data) => data.programHistory.nodes[0])
  expect(await find(own.owner, id)).toEqual({ __typename: 'HistoryEntry', id })
  expect(await find(own.manager, id)).toBeNull()
  expect(await find(own.program.graphql, id)).toBeNull()
})

it('an affiliate token finds no node', async () => {
  const { createAffiliateToken } = await own.program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token affiliate { id } } }',
    { id: await own.world.get('affiliate') },
  )
  const client = graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
  for (const type of ['Affiliate', 'Program', 'HistoryEntry'])
    await expect(find(client, await idOf(type))).rejects.toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
})
