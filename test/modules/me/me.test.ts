import { expect, it } from 'vitest'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'
import { isPostgres } from '../../support/parallel.ts'

const test = await createTestApp()

const post = (path: string, body: object) =>
  test.app.fetch(
    new Request(`http://localhost:4000${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

const signInMails = async (program: TestProgram) =>
  (await program.graphql('{ mails(where: { kind: { equals: SIGN_IN } }) { nodes { to text } } }')).mails.nodes

/** Signs an affiliate in by the link that is mailed. */
async function signInByMail(program: TestProgram, email: string) {
  expect((await post('/portal/sign-in', { program: program.slug, email })).status).toBe(202)
  const [mail] = await signInMails(program)
  const [, ticket] = /http:\/\/localhost:4000\/portal\?program=\S+#ticket=(\S+)/.exec(mail.text) ?? []
  const session = await post('/portal/session', { ticket })
  expect(session.status).toBe(201)
  expect((await post('/portal/session', { ticket })).status).toBe(401)
  const { token } = (await session.json()) as { token: string }
  return graphqlClient(test.app.fetch, { Authorization: `Bearer ${token}` })
}

it('an affiliate signs in by mail, and strangers get the same answer and no mail', async () => {
  const program = await test.createProgram()
  await createAffiliate(program, { email: 'ada@me.test' })
  const stranger = await post('/portal/sign-in', { program: program.slug, email: 'eve@me.test' })
  expect([stranger.status, await stranger.json()]).toEqual([202, {}])
  expect(await signInMails(program)).toEqual([])
  const ada = await signInByMail(program, 'ADA@me.test')
  expect((await ada('{ me { email } }')).me.email).toBe('ada@me.test')
})

it('an affiliate changes the name and the mails, and the history says who did it', async () => {
  const program = await test.createProgram()
  const { id } = await createAffiliate(program, { email: 'ada@me.test' })
  const ada = await signInByMail(program, 'ada@me.test')
  const { updateMe } = await ada(
    'mutation { updateMe(input: { firstName: "Ada", commissionMails: WEEKLY }) { affiliate { firstName } mailChoices { commissions getsPayoutMails } } }',
  )
  expect(updateMe).toEqual({
    affiliate: { firstName: 'Ada' },
    mailChoices: { commissions: 'WEEKLY', getsPayoutMails: true },
  })
  const { history } = await program.graphql(
    'query ($id: ID!) { history(subject: AFFILIATE, id: $id) { nodes { action actor { kind } } } }',
    {
      id,
    },
  )
  expect(history.nodes).toContainEqual({ action: 'UPDATED', actor: { kind: 'AFFILIATE' } })
})

it('an affiliate creates links to pages of the site only', async () => {
  const program = await test.createProgram()
  await createAffiliate(program, { email: 'ada@me.test' })
  const ada = await signInByMail(program, 'ada@me.test')
  const create = (input: object) =>
    ada('mutation ($input: CreateMyLinkInput!) { createMyLink(input: $input) { url affiliateLink { token } } }', {
      input,
    })
  expect(
    (await create({ token: 'ada-video', url: 'https://acme.test/pricing?plan=pro', sub: 'video-12' })).createMyLink,
  ).toEqual({
    url: 'https://acme.test/pricing?plan=pro&via=ada-video&sub=video-12',
    affiliateLink: { token: 'ada-video' },
  })
  await expect(create({ url: 'https://evil.test/' })).rejects.toThrow('must be a page of acme.test')
  // Browsers go to acme.test; other readers of addresses may not.
  for (const [url, message] of [
    ['https://acme.test\\@evil.test/', 'must not have backslashes'],
    ['https:/\\evil.test/', 'must be an absolute address'],
    ['https:///evil.test/', 'must be an absolute address'],
    ['https://acme.test/\u0007', 'must not have backslashes or control characters'],
    ['https://acme.test/a\tb', 'must be an absolute address'],
    ['https://acme.test/a\nb', 'must be an absolute address'],
    ['https://evil.test@acme.test/', 'must not have a user name'],
  ])
    await expect(create({ url }), url).rejects.toThrow(message)
  await expect(create({ token: 'ada-video' })).rejects.toThrow('already in use')
})

it('neither keys nor other mutations: an affiliate token changes its own affiliate alone', async () => {
  const program = await test.createProgram()
  await createAffiliate(program, { email: 'ada@me.test' })
  const ada = await signInByMail(program, 'ada@me.test')
  await expect(program.graphql('mutation { updateMe(input: {}) { __typename } }')).rejects.toThrow('affiliate token')
  await expect(ada('mutation { publishTerms(input: { text: "x" }) { __typename } }')).rejects.toThrow(
    'affiliate token cannot',
  )
  await expect(ada('{ mails { nodes { id } } }')).rejects.toThrow('affiliate token cannot')
})

it('an affiliate archives own links only', async () => {
  const program = await test.createProgram()
  await createAffiliate(program, { email: 'ada@me.test' })
  const bob = await createAffiliate(program, { email: 'bob@me.test' })
  const ada = await signInByMail(program, 'ada@me.test')
  const archive = (id: string) =>
    ada('mutation ($id: ID!) { archiveMyLink(input: { id: $id }) { affiliateLink { token } } }', { id })
  const links = async () => (await ada('{ me { links { nodes { id } } } }')).me.links.nodes
  const [{ id }] = await links()
  await archive(id)
  await archive(id)
  expect(await links()).toEqual([])
  await expect(archive(bob.links[0].id)).rejects.toThrow('not found')
})

it.skipIf(!isPostgres)('requests at the same time cannot pass the limit of links together', async () => {
  const program = await test.createProgram()
  const { id } = await createAffiliate(program, { email: 'ada@me.test' })
  await program.graphql(
    'mutation ($links: [CreateAffiliateLinkInput!]!) { createAffiliateLinks(input: { affiliateLinks: $links }) { affiliateLinks { id } } }',
    { links: Array.from({ length: 97 }, () => ({ affiliateId: id })) },
  )
  const ada = await signInByMail(program, 'ada@me.test')
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () => ada('mutation { createMyLink(input: {}) { url } }')),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

it('new terms are accepted once, with the time and the address', async () => {
  const program = await test.createProgram()
  const { id } = await createAffiliate(program, { email: 'ada@me.test' })
  const ada = await signInByMail(program, 'ada@me.test')
  const toAccept = async () => (await ada('{ me { termsToAccept { version text } } }')).me.termsToAccept
  expect(await toAccept()).toBe(null)
  for (const text of ['Old', 'New'])
    await program.graphql('mutation ($text: String!) { publishTerms(input: { text: $text }) { terms { version } } }', {
      text,
    })
  expect(await toAccept()).toEqual({ version: 2, text: 'New' })
  const accept = (version: number) =>
    ada('mutation ($version: Int!) { acceptTerms(input: { version: $version }) { version } }', { version })
  await expect(accept(1)).rejects.toThrow('must be 2, which holds now')
  await accept(2)
  await accept(2)
  expect(await toAccept()).toBe(null)
  const { affiliate } = await program.graphql(
    'query ($id: ID!) { affiliate(id: $id) { acceptedTerms { version acceptedAt address } } }',
    { id },
  )
  expect(affiliate.acceptedTerms).toEqual([
    { version: 2, acceptedAt: '2026-03-10T12:00:00.000Z', address: expect.any(String) },
  ])
})
