import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createAffiliate, unknownId } from '../../../support/factories.ts'

const test = await createTestApp({ tracking: { trustedProxies: 1 } })

async function signIn(program: TestProgram, affiliateId: string, agent: string): Promise<string> {
  const { sso } = (await program.get(`/affiliates/${affiliateId}/sso`)).body
  const ticket = new URLSearchParams(new URL(sso.url).hash.slice(1)).get('ticket')
  const response = await test.app.fetch(
    new Request('http://localhost:4000/portal/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': agent, 'X-Forwarded-For': '198.51.100.7' },
      body: JSON.stringify({ ticket }),
    }),
  )
  return ((await response.json()) as { token: string }).token
}

async function ask(token: string, query: string) {
  const response = await test.app.fetch(
    new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    }),
  )
  return { status: response.status, ...((await response.json()) as any) }
}
const list = '{ me { sessions { id address userAgent isCurrent startedAt endsAt } } }'

it('an affiliate sees where they are signed in, and ends one session or all others', async () => {
  const program = await test.createProgram()
  const { id } = await createAffiliate(program)
  const [phone, tablet, laptop] = [
    await signIn(program, id, 'Phone'),
    await signIn(program, id, 'Tablet'),
    await signIn(program, id, 'Laptop'),
  ]
  const { data } = await ask(laptop, list)
  const { sessions } = data.me
  expect(sessions.map(({ userAgent, isCurrent }: any) => [userAgent, isCurrent])).toEqual(
    expect.arrayContaining([
      ['Phone', false],
      ['Tablet', false],
      ['Laptop', true],
    ]),
  )
  expect(sessions[0]).toMatchObject({ address: '198.51.100.7' })
  const of = (name: string) => sessions.find(({ userAgent }: any) => userAgent === name).id
  expect((await ask(laptop, `mutation { endMySessions(input: { id: "${of('Phone')}" }) { count } }`)).data).toEqual({
    endMySessions: { count: 1 },
  })
  expect(await ask(phone, list)).toMatchObject({ status: 401 })
  expect((await ask(tablet, list)).status).toBe(200)
  expect((await ask(laptop, 'mutation { endMySessions(input: { keepCurrent: true }) { count } }')).data).toEqual({
    endMySessions: { count: 1 },
  })
  expect((await ask(tablet, list)).status).toBe(401)
  await ask(laptop, 'mutation { endMySessions(input: {}) { count } }')
  expect((await ask(laptop, list)).status).toBe(401)
})

it('a session of another affiliate is not found, and a token of the company has none', async () => {
  const program = await test.createProgram()
  const [ada, bob] = [await createAffiliate(program), await createAffiliate(program)]
  const token = await signIn(program, ada.id, 'Ada')
  const other = await signIn(program, bob.id, 'Bob')
  const { data } = await ask(other, list)
  const end = (id: string) => ask(token, `mutation { endMySessions(input: { id: "${id}" }) { count } }`)
  expect((await end(data.me.sessions[0].id)).errors[0].message).toContain('not found')
  expect((await end(unknownId)).errors[0].message).toContain('not found')
  expect((await ask(other, list)).status).toBe(200)
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id: ada.id },
  )
  const { errors } = await ask(createAffiliateToken.token, 'mutation { endMySessions(input: {}) { count } }')
  expect(errors[0].message).toContain('has no session')
})
