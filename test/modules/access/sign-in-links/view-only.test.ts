import { beforeAll, expect, it } from 'vitest'
import { adminToken, createTestApp, graphqlClient, type TestProgram } from '../../../support/app.ts'
import { createSeller } from '../../../support/factories.ts'
import { addMember, setUpOperator, type TestBrowser } from '../../../support/people.ts'

const test = await createTestApp()
let program: TestProgram
let olga: TestBrowser
let mia: TestBrowser
let ada: Awaited<ReturnType<typeof createSeller>>

beforeAll(async () => {
  program = await test.createProgram()
  olga = await setUpOperator(test)
  mia = await addMember(test, olga, program.id, { email: 'mia@example.com', role: 'MANAGER' })
  ada = await createSeller(program)
  await program.graphql('mutation { publishTerms(input: { text: "Be fair." }) { terms { version } } }')
})

const own = (token: string) => graphqlClient(test.app.fetch, { Authorization: `Bearer ${token}` })

/** The token of the session that a link opens. */
async function open(url: string): Promise<string> {
  const response = await test.app.fetch(
    new Request('http://localhost:4000/portal/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket: url.split('#ticket=')[1] }),
    }),
  )
  return ((await response.json()) as { token: string }).token
}
const linkOf = async (client: ReturnType<typeof graphqlClient>) =>
  (
    await client('mutation ($id: ID!) { createSsoLink(input: { affiliateId: $id }) { url } }', {
      id: ada.affiliate.id,
    })
  ).createSsoLink.url as string
const tokenOf = async (client: ReturnType<typeof graphqlClient>) =>
  (
    await client('mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }', {
      id: ada.affiliate.id,
    })
  ).createAffiliateToken.token as string

const mutations = [
  'updateMe(input: { paypalEmail: "manager@evil.test" }) { affiliate { id } }',
  'updateMe(input: { commissionMails: NEVER }) { affiliate { id } }',
  'acceptTerms(input: { version: 1 }) { affiliate { id } }',
  'createMyLink(input: {}) { url }',
  'archiveMyLink(input: { id: "LINK" }) { affiliateLink { id } }',
  'endMySessions(input: { keepCurrent: true }) { count }',
]

it('a person or the operator sees what an affiliate sees, and changes nothing by a link or a token', async () => {
  const signedIn = await open((await program.get(`/affiliates/${ada.affiliate.id}/sso`)).body.sso.url)
  const headers = { Authorization: `Bearer ${adminToken}`, 'X-Program-Id': program.id }
  const asOperator = graphqlClient(test.app.fetch, headers)
  const before = await test.database.db.change.count({ where: { actorKind: 'affiliate' } })
  for (const [who, client] of [
    ['a manager', mia.graphql(program.id)],
    ['the operator token', asOperator],
  ] as const)
    for (const [how, token] of [
      ['by a link', await open(await linkOf(client))],
      ['with a token', await tokenOf(client)],
    ] as const) {
      const { me } = await own(token)('{ me { email isViewOnly sessions { isCurrent } } }')
      expect(me, `${who} ${how}`).toEqual({
        email: ada.affiliate.email,
        isViewOnly: true,
        sessions: [{ isCurrent: false }],
      })
      for (const mutation of mutations)
        await expect(own(token)(`mutation { ${mutation.replace('LINK', ada.link.id)} }`), mutation).rejects.toThrow(
          'You see what this affiliate sees, and can change nothing here.',
        )
    }
  expect(await test.database.db.change.count({ where: { actorKind: 'affiliate' } })).toBe(before)
  const { signInCount } = await test.database.db.affiliate.findFirstOrThrow({ where: { id: ada.affiliate.id } })
  expect(signInCount, 'only the affiliate has signed in').toBe(1)
  expect((await own(signedIn)('{ me { isViewOnly } }')).me.isViewOnly).toBe(false)
  const { updateMe } = await own(signedIn)(
    'mutation { updateMe(input: { firstName: "Ada" }) { affiliate { firstName } } }',
  )
  expect(updateMe.affiliate.firstName).toBe('Ada')
})

it('the history names the person who has opened the portal', async () => {
  await open(await linkOf(mia.graphql(program.id)))
  const { history } = await program.graphql(
    'query ($id: ID!) { history(subject: AFFILIATE, id: $id, first: 1) { nodes { action actor { kind } } } }',
    { id: ada.affiliate.id },
  )
  expect(history.nodes).toMatchObject([{ action: 'SIGN_IN_LINK_CREATED', actor: { kind: 'PERSON' } }])
})

it("a view ends with the person's role in the program", async () => {
  const rosa = await addMember(test, olga, program.id, { email: 'rosa@example.com', role: 'MANAGER' })
  const token = await open(await linkOf(rosa.graphql(program.id)))
  expect((await own(token)('{ me { isViewOnly } }')).me.isViewOnly).toBe(true)
  const { id } = await test.database.db.person.findFirstOrThrow({ where: { email: 'rosa@example.com' } })
  await olga.graphql(program.id)('mutation ($id: ID!) { removeMember(input: { personId: $id }) { member { role } } }', {
    id,
  })
  await expect(own(token)('{ me { isViewOnly } }')).rejects.toThrow('You have no role in this program any more.')
})
