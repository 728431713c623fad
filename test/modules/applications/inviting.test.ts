import { expect, it } from 'vitest'
import { expireApplications } from '../../../src/modules/applications/confirm.ts'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { createCampaign } from '../../support/factories.ts'

const test = await createTestApp()

async function send(path: string, body: object) {
  const headers = { 'Content-Type': 'application/json' }
  const request = new Request(`http://localhost:4000${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await test.app.fetch(request)
  return { status: response.status, body: (await response.json()) as any }
}

const applyTo = (program: TestProgram, body: object) => send(`/join/${program.slug}`, body)

async function confirm(program: TestProgram, email: string) {
  const query = 'query ($to: String) { mails(first: 5, where: { to: { equals: $to } }) { nodes { text } } }'
  const { nodes } = (await program.graphql(query, { to: email })).mails
  const [token] = nodes.flatMap(({ text }: { text: string }) => /#token=(\S+)/.exec(text)?.[1] ?? [])
  return send('/join/confirm', { token })
}

const applications = async (program: TestProgram) =>
  (await program.graphql('{ applications(first: 50) { nodes { id state email } } }')).applications.nodes

const run = (program: TestProgram, name: string, input: object, selection: string) =>
  program.graphql(
    `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) ${selection} }`,
    { input },
  )

it('an affiliate invites others by a personal link, and managers see who invited whom', async () => {
  const program = await test.createProgram()
  const affiliate = (await program.post('/affiliates', { email: 'ada@inviter.test' })).body
  const { createAffiliateToken } = await run(
    program,
    'createAffiliateToken',
    { affiliateId: affiliate.id },
    '{ token }',
  )
  const ada = graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
  const { me } = await ada('{ me { invitationUrl } }')
  expect(me.invitationUrl).toBe(`http://localhost:4000/join/${program.slug}?invited_by=${affiliate.links[0].token}`)
  const page = await (await test.app.fetch(new Request(me.invitationUrl))).text()
  expect(page).toContain(`<input type="hidden" name="invited_by" value="${affiliate.links[0].token}">`)
  await applyTo(program, { email: 'bob@invited.test', invited_by: affiliate.links[0].token })
  await applyTo(program, { email: 'eve@invited.test', invited_by: 'no-such-token' })
  for (const email of ['bob@invited.test', 'eve@invited.test']) await confirm(program, email)
  const query = `query ($id: ID!) { applications(first: 5, where: { referredById: { equals: $id } }) { nodes {
    id email referredBy { email } } } }`
  const { nodes } = (await program.graphql(query, { id: affiliate.id })).applications
  expect(nodes).toMatchObject([{ email: 'bob@invited.test', referredBy: { email: 'ada@inviter.test' } }])
  await run(program, 'approveApplications', { ids: [nodes[0].id] }, '{ __typename }')
  const { affiliates } = await program.graphql('{ affiliates(first: 1) { nodes { email referredById } } }')
  expect(affiliates.nodes).toEqual([{ email: 'bob@invited.test', referredById: affiliate.id }])
  // Nobody is invited to a page that takes no applications.
  await run(program, 'updateJoinSettings', { isOpen: false }, '{ __typename }')
  expect((await ada('{ me { invitationUrl } }')).me.invitationUrl).toBeNull()
})

it('a link of an invitation opens a private campaign, for its e-mail alone', async () => {
  const program = await test.createProgram()
  const campaign = await createCampaign(program, { name: 'Secret partners', private: true })
  const input = { emails: ['ada@invited.test'], campaignId: campaign.id }
  const { inviteApplicants } = await run(program, 'inviteApplicants', input, '{ mails { text } }')
  const [link = ''] = /http\S+/.exec(inviteApplicants.mails[0].text) ?? []
  const read = (url: string) => test.app.fetch(new Request(url))
  const page = await (await read(link)).text()
  expect(page).toContain(`name="campaign_id" value="${campaign.id}"`)
  expect((await read(link.replace('ada%40', 'eve%40'))).status).toBe(404)
  const closed = await read(`http://localhost:4000/join/${program.slug}?campaign=${campaign.id}`)
  expect([closed.status, await closed.text()]).toEqual([404, expect.stringContaining('takes no applications')])
  const invitation = new URL(link).searchParams.get('invitation')
  const sent = { campaign_id: campaign.id, invitation }
  const rejected = await applyTo(program, { email: 'eve@invited.test', ...sent })
  expect([rejected.status, JSON.stringify(rejected.body)]).toEqual([422, expect.stringContaining('not open to')])
  await applyTo(program, { email: 'Ada@invited.test', ...sent })
  await confirm(program, 'ada@invited.test')
  expect(await applications(program)).toMatchObject([{ email: 'Ada@invited.test' }])
})

it('applications that nobody confirms or decides in time expire', async () => {
  const program = await test.createProgram()
  await applyTo(program, { email: 'silent@stranger.test' })
  await applyTo(program, { email: 'waiting@stranger.test' })
  await confirm(program, 'waiting@stranger.test')
  const states = async () => {
    await expireApplications(test.database.db, test.clock.now)
    const rows = await test.database.db.application.findMany({
      where: { programId: program.id },
      orderBy: { email: 'asc' },
    })
    return rows.map(({ state }) => state)
  }
  test.clock.advanceDays(1)
  expect(await states()).toEqual(['applied', 'applied'])
  test.clock.advanceDays(2)
  expect(await states()).toEqual(['expired', 'applied'])
  test.clock.advanceDays(90)
  expect(await states()).toEqual(['expired', 'expired'])
  expect(await applications(program)).toMatchObject([{ state: 'EXPIRED' }])
})

it('a rule decides those whom an affiliate invited', async () => {
  const program = await test.createProgram()
  const { links } = (await program.post('/affiliates', { email: 'ada@inviter.test' })).body
  const rules = [
    { decision: 'REJECT', reason: 'Only by invitation', isInvited: false, isInvitedByAffiliate: false },
    {
      decision: 'APPROVE',
      reason: 'An affiliate knows them',
      isInvitedByAffiliate: true,
      field: 'country',
      values: ['at'],
    },
  ]
  const fields = [{ name: 'country', label: 'Country' }]
  const selection = '{ joinSettings { rules { isInvited isInvitedByAffiliate field } } }'
  const { updateJoinSettings } = await run(program, 'updateJoinSettings', { fields, rules }, selection)
  expect(updateJoinSettings.joinSettings.rules).toEqual([
    { isInvited: false, isInvitedByAffiliate: false, field: null },
    { isInvited: null, isInvitedByAffiliate: true, field: 'country' },
  ])
  const people = [
    { email: 'bob@rule.test', invited_by: links[0].token, country: 'AT' },
    { email: 'dan@rule.test', invited_by: links[0].token, country: 'DE' },
    { email: 'eve@rule.test', country: 'AT' },
  ]
  for (const person of people) {
    await applyTo(program, person)
    await confirm(program, person.email)
  }
  const { nodes } = (await program.graphql('{ applications(first: 5) { nodes { email state reason } } }')).applications
  expect(nodes).toEqual([
    { email: 'eve@rule.test', state: 'REJECTED', reason: 'Only by invitation' },
    { email: 'dan@rule.test', state: 'APPLIED', reason: null },
    { email: 'bob@rule.test', state: 'APPROVED', reason: 'An affiliate knows them' },
  ])
})
