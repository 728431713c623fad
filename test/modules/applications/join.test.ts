import { afterAll, expect, it } from 'vitest'
import { trapName } from '../../../src/server/pages/join/form-body.ts'
import { confirmScript } from '../../../src/server/pages/join/page.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSmtp } from '../../support/smtp.ts'

const smtp = await createSmtp()
const test = await createTestApp({ mailer: smtp.mailer, tracking: { trustedProxies: 1 } })
afterAll(smtp.close)

let addresses = 0

/** Sends a request of somebody, each of another address unless one is given. */
async function send(path: string, body: object, headers: Record<string, string> = {}) {
  addresses += 1
  const request = new Request(`http://localhost:4000${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.51.100.${addresses}`, ...headers },
    body: JSON.stringify(body),
  })
  const response = await test.app.fetch(request)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as any }
}

const applyTo = (program: TestProgram, body: object, headers = {}) => send(`/join/${program.slug}`, body, headers)

const mailsTo = async (program: TestProgram, to: string) =>
  (
    await program.graphql(
      'query ($to: String) { mails(first: 50, where: { to: { equals: $to } }) { nodes { kind subject text html state } } }',
      { to },
    )
  ).mails.nodes

async function confirm(program: TestProgram, email: string) {
  const mail = (await mailsTo(program, email)).find(({ kind }: any) => kind === 'APPLICATION_CONFIRM')
  const [, token] = /#token=(\S+)/.exec(mail.text) ?? []
  return send('/join/confirm', { token })
}

const applications = async (program: TestProgram, where = {}) =>
  (
    await program.graphql(
      `query ($where: ApplicationWhere) { applications(first: 50, where: $where) { nodes {
        id state email reason fields { name value } isDisposable earlierCount sameNetworkCount affiliateId termsVersion } } }`,
      { where },
    )
  ).applications.nodes

const run = (program: TestProgram, name: string, input: object, selection: string) =>
  program.graphql(
    `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) ${selection} }`,
    { input },
  )

it('a stranger applies, confirms, is approved in bulk, and gets a link by mail', async () => {
  const program = await test.createProgram()
  const sent = await applyTo(program, { email: 'ada@stranger.test', first_name: 'Ada', last_name: 'Lovelace' })
  expect(sent).toMatchObject({ status: 202, body: { application: { id: expect.any(String), state: 'applied' } } })
  expect(await applications(program)).toEqual([])
  const confirmed = await confirm(program, 'ada@stranger.test')
  expect(confirmed).toMatchObject({
    status: 200,
    body: { application: { id: sent.body.application.id, state: 'applied' } },
  })
  expect(await confirm(program, 'ada@stranger.test')).toMatchObject({ status: 200 })
  expect(await applications(program, { state: { equals: 'APPLIED' } })).toMatchObject([{ email: 'ada@stranger.test' }])
  const ids = [sent.body.application.id]
  const approved = await run(program, 'approveApplications', { ids }, '{ applications { state affiliateId } }')
  const [{ affiliateId }] = approved.approveApplications.applications
  expect((await program.get(`/affiliates/${affiliateId}`)).body).toMatchObject({
    email: 'ada@stranger.test',
    first_name: 'Ada',
  })
  await expect(run(program, 'approveApplications', { ids }, '{ __typename }')).rejects.toThrow('is approved already')
  await test.app.sendMails()
  const received = smtp.received.filter(({ recipients }) => recipients.includes('ada@stranger.test'))
  expect(received.map(({ subject }) => subject).sort()).toEqual([
    'Confirm your e-mail for Acme',
    'Welcome to Acme',
    'Your application to Acme',
  ])
  expect(received.find(({ subject }) => subject?.startsWith('Welcome'))?.text).toMatch(
    /https:\/\/acme\.test\/\?via=[\s\S]*http:\/\/localhost:4000\/portal/,
  )
})

it('the answer is the same whether an e-mail is known or not, and a mailbox gets at most three mails an hour', async () => {
  const program = await test.createProgram()
  await program.post('/affiliates', { email: 'known@example.com' })
  const shape = ({ status, body }: any) => ({
    status,
    state: body.application.state,
    keys: Object.keys(body.application),
  })
  const known = await applyTo(program, { email: 'known@example.com' })
  expect(shape(known)).toEqual(shape(await applyTo(program, { email: 'unknown@example.com' })))
  const more = await Promise.all([1, 2, 3, 4].map(() => applyTo(program, { email: 'known@example.com' })))
  for (const answer of more) expect(shape(answer)).toEqual(shape(known))
  expect(await mailsTo(program, 'known@example.com')).toHaveLength(3)
})

it.each(['<v@x.test>', 'g:v@x.test;', 'v@x.test:x', 'x@[127.0.0.1]', '=cmd@x.test'])(
  '%s is no e-mail of an applicant or an affiliate',
  async (email) => {
    const program = await test.createProgram()
    expect(await applyTo(program, { email })).toMatchObject({
      status: 422,
      body: { details: ['Email is not a valid e-mail address'] },
    })
    expect((await program.post('/affiliates', { email })).body.details).toEqual(['Email is not a valid e-mail address'])
  },
)

it('what fills in the trap of the form waits apart, without a mail, until a person lets it in', async () => {
  const program = await test.createProgram()
  const trap = { [trapName]: 'https://spam.test' }
  for (const email of ['bot@spam.test', 'filled@by-a-browser.test', 'bot@spam.test', 'bot@spam.test', 'bot@spam.test'])
    expect(await applyTo(program, { email, ...trap })).toMatchObject({
      status: 202,
      body: { application: { state: 'applied' } },
    })
  const suspected = await applications(program, { state: { equals: 'SUSPECTED_SPAM' } })
  expect(suspected.map(({ email }: any) => email).sort()).toEqual([
    'bot@spam.test',
    'bot@spam.test',
    'bot@spam.test',
    'filled@by-a-browser.test',
  ])
  expect(await mailsTo(program, 'bot@spam.test')).toEqual([])
  const idsOf = (of: string) => suspected.flatMap(({ id, email }: any) => (email === of ? [id] : []))
  await run(program, 'rejectApplications', { ids: idsOf('bot@spam.test') }, '{ applications { state } }')
  expect(await mailsTo(program, 'bot@spam.test')).toEqual([])
  const ids = idsOf('filled@by-a-browser.test')
  const approved = await run(program, 'approveApplications', { ids }, '{ applications { state affiliateId } }')
  expect(approved.approveApplications.applications).toEqual([{ state: 'APPROVED', affiliateId: expect.any(String) }])
  const mails = await mailsTo(program, 'filled@by-a-browser.test')
  expect(mails.map(({ kind }: any) => kind)).toEqual(['APPLICATION_APPROVED'])
})

it('a program can ask for the website, and the trap has a name that no field can have', async () => {
  const program = await test.createProgram()
  const fields = [{ name: 'website', label: 'Your website', type: 'URL', isRequired: true }]
  await run(program, 'updateJoinSettings', { fields }, '{ joinSettings { isOpen } }')
  await applyTo(program, { email: 'ada@site.test', website: 'https://ada.test' })
  await confirm(program, 'ada@site.test')
  expect(await applications(program)).toMatchObject([
    { state: 'APPLIED', fields: [{ name: 'website', value: 'https://ada.test' }] },
  ])
  const taken = [{ name: trapName, label: 'Trap' }]
  await expect(run(program, 'updateJoinSettings', { fields: taken }, '{ joinSettings { isOpen } }')).rejects.toThrow(
    'may hold',
  )
  const page = await test.app.fetch(new Request(`http://localhost:4000/join/${program.slug}`))
  expect(await page.text()).toContain(`name="${trapName}" tabindex="-1" autocomplete="off"`)
})

it('rules decide clear applications, with their reason', async () => {
  const program = await test.createProgram()
  const rules = [
    { decision: 'REJECT', reason: 'Disposable address', isDisposable: true },
    { decision: 'APPROVE', reason: 'Partner company', emailDomains: ['partner.test'] },
    { decision: 'REJECT', reason: 'Not in this country', field: 'country', values: ['AT'] },
  ]
  const fields = [{ name: 'country', label: 'Country', isRequired: true }]
  await run(program, 'updateJoinSettings', { rules, fields }, '{ joinSettings { isOpen fields { name isRequired } } }')
  expect(await applyTo(program, { email: 'x@partner.test' })).toMatchObject({
    status: 422,
    body: { details: ["country can't be blank"] },
  })
  const decided: Record<string, string> = {}
  for (const [email, country] of [
    ['a@partner.test', 'DE'],
    ['b@mailinator.com', 'DE'],
    ['c@example.com', 'at'],
    ['d@example.com', 'DE'],
  ] as const) {
    await applyTo(program, { email, country })
    decided[email] = (await confirm(program, email)).body.application.state
  }
  expect(decided).toEqual({
    'a@partner.test': 'approved',
    'b@mailinator.com': 'rejected',
    'c@example.com': 'rejected',
    'd@example.com': 'applied',
  })
  const all = await applications(program)
  expect(all.find(({ email }: any) => email === 'b@mailinator.com')).toMatchObject({
    reason: 'Disposable address',
    isDisposable: true,
  })
  expect(all.find(({ email }: any) => email === 'd@example.com').fields).toEqual([{ name: 'country', value: 'DE' }])
})

it('terms must be accepted, and their version is kept', async () => {
  const program = await test.createProgram()
  expect(
    (await run(program, 'publishTerms', { text: 'First' }, '{ terms { version } }')).publishTerms.terms.version,
  ).toBe(1)
  await run(program, 'publishTerms', { text: 'Later', from: '2027-01-01T00:00:00Z' }, '{ terms { version } }')
  expect(await applyTo(program, { email: 'ada@terms.test' })).toMatchObject({ status: 422 })
  await applyTo(program, { email: 'ada@terms.test', accepts_terms: true })
  await confirm(program, 'ada@terms.test')
  expect(await applications(program)).toMatchObject([{ termsVersion: 1 }])
})

it('rejected applicants get the reason, unless they are not notified', async () => {
  const program = await test.createProgram()
  for (const email of ['one@reject.test', 'two@reject.test']) {
    const { body } = await applyTo(program, { email })
    await confirm(program, email)
    const input = { ids: [body.application.id], reason: 'No audience', notify: email.startsWith('one') }
    await run(program, 'rejectApplications', input, '{ applications { state reason } }')
  }
  expect((await mailsTo(program, 'one@reject.test'))[0]).toMatchObject({
    kind: 'APPLICATION_REJECTED',
    text: expect.stringContaining('No audience'),
  })
  expect((await mailsTo(program, 'two@reject.test')).map(({ kind }: any) => kind)).not.toContain('APPLICATION_REJECTED')
})

it('a newer application replaces the one that waits; a link ends after two days', async () => {
  const program = await test.createProgram()
  for (let count = 0; count < 2; count += 1) {
    await applyTo(program, { email: 'twice@example.com' })
    expect((await confirm(program, 'twice@example.com')).status).toBe(200)
  }
  expect((await applications(program)).map(({ state, earlierCount }: any) => [state, earlierCount])).toEqual([
    ['APPLIED', 1],
    ['EXPIRED', 0],
  ])
  await applyTo(program, { email: 'late@example.com' })
  test.clock.advanceDays(3)
  expect((await confirm(program, 'late@example.com')).status).toBe(404)
  expect((await send('/join/confirm', { token: 'x' })).status).toBe(404)
})

it('addresses are limited; a closed page refuses', async () => {
  const program = await test.createProgram()
  const other = await test.createProgram()
  const applyFromOne = async (to: TestProgram, count: number) => {
    const headers = { 'X-Forwarded-For': '203.0.113.9' }
    return (await applyTo(to, { email: `n${count}@example.com` }, headers)).status
  }
  const statusesOf = async (count: number) => {
    const statuses = []
    for (let number = 0; number < count; number += 1) statuses.push(await applyFromOne(program, number))
    return statuses
  }
  const room = await statusesOf(15)
  expect(new Set(room), 'a room of people who share an address').toEqual(new Set([202]))
  await run(program, 'updateJoinSettings', { applicationsPerMinute: 16 }, '{ __typename }')
  expect(await statusesOf(2)).toEqual([202, 429])
  expect(await applyFromOne(other, 0), 'each program counts for itself').toBe(202)
  await run(program, 'updateJoinSettings', { isOpen: false }, '{ __typename }')
  expect(await applyTo(program, { email: 'late@example.com' })).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('no applications') },
  })
})

it('people read in their language that a program which is moving takes no applications', async () => {
  const { id, slug } = await test.createProgram()
  await test.database.db.program.update({ where: { id }, data: { closedAt: test.clock.now } })
  const url = `http://localhost:4000/join/${slug}`
  const headers = { Accept: 'text/html', 'Accept-Language': 'de' }
  const type = 'application/x-www-form-urlencoded'
  const sent = { method: 'POST', headers: { ...headers, 'Content-Type': type }, body: 'email=late%40example.com' }
  for (const [init, status] of [
    [{ headers }, 404],
    [sent, 422],
  ] as const) {
    const response = await test.app.fetch(new Request(url, init))
    expect([response.status, await response.text()]).toEqual([
      status,
      expect.stringContaining('Das Programm nimmt im Moment keine Bewerbungen an.'),
    ])
  }
  expect(await send(`/join/${slug}`, { email: 'late@example.com' })).toMatchObject({
    status: 422,
    body: { error: 'The program takes no applications at the moment.' },
  })
})

it('only pages of allowed origins may read the answer', async () => {
  const program = await test.createProgram()
  const settingsWith = (origin: string) => run(program, 'updateJoinSettings', { origins: [origin] }, '{ __typename }')
  for (const wrong of ['', 'acme', 'https://acme.test/page'])
    await expect(settingsWith(wrong)).rejects.toMatchObject({
      errors: [{ extensions: { code: 'INVALID_INPUT', problems: [expect.anything()] } }],
    })
  await settingsWith('https://acme.test')
  const allowed = await applyTo(program, { email: 'a@cors.test' }, { Origin: 'https://acme.test' })
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://acme.test')
  const other = await applyTo(program, { email: 'b@cors.test' }, { Origin: 'https://evil.test' })
  expect(other.headers.get('access-control-allow-origin')).toBeNull()
})

it('the page has the deal, works without JavaScript, and keeps what was entered', async () => {
  const program = await test.createProgram()
  const get = async (path: string) => (await test.app.fetch(new Request(`http://localhost:4000${path}`))).text()
  const page = await get(`/join/${program.slug}`)
  expect(page).toContain('Become an affiliate of Acme')
  expect(page).toMatch(/You earn \d+% of each sale/)
  // Only a page around a frame needs a script.
  expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="frame.js">'])
  const form = (body: string) =>
    test.app.fetch(
      new Request(`http://localhost:4000/join/${program.slug}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': '192.0.2.77' },
        body,
      }),
    )
  const wrong = await form('email=%22%3E%3Cscript%3E&first_name=Ada')
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toMatch(/value="&quot;&gt;&lt;script&gt;"[\s\S]*value="Ada"/)
  const right = await form('email=form%40example.com')
  expect(right.status).toBe(202)
  expect(await right.text()).toContain('Look into your mailbox')
  const confirmPage = await get('/join/confirm')
  expect(confirmPage).toContain('<button')
  expect(confirmScript).toContain("addEventListener('click'")
  expect((await test.app.fetch(new Request('http://localhost:4000/join/nobody-here'))).status).toBe(404)
})

it('a slash at the end of its address leads to the page', async () => {
  const program = await test.createProgram()
  const address = `http://localhost:4000/join/${program.slug}/?invited_by=ada`
  const { status, headers } = await test.app.fetch(new Request(address))
  const { href } = new URL(headers.get('location') ?? '', address)
  expect([status, href]).toEqual([308, `http://localhost:4000/join/${program.slug}?invited_by=ada`])
  expect((await test.app.fetch(new Request(href))).status).toBe(200)
  for (const path of ['/join//evil.test/', '/join/a/b/'])
    expect((await test.app.fetch(new Request(`http://localhost:4000${path}`))).status).toBe(404)
})

it('the same over GraphQL, for the server of the company', async () => {
  const program = await test.createProgram()
  const { apply } = await run(
    program,
    'apply',
    { email: 'api@example.com', firstName: 'Ada' },
    '{ application { id state } }',
  )
  expect(apply.application.state).toBe('APPLIED')
  expect((await confirm(program, 'api@example.com')).body.application.id).toBe(apply.application.id)
})

it('people are invited once a week, and a rule approves them', async () => {
  const program = await test.createProgram()
  await program.post('/affiliates', { email: 'known@example.com' })
  const invite = async (emails: string[]) =>
    (await run(program, 'inviteApplicants', { emails }, '{ mails { kind to text } }')).inviteApplicants.mails
  const rules = [{ decision: 'APPROVE', reason: 'We invited them', isInvited: true }]
  await run(program, 'updateJoinSettings', { rules }, '{ joinSettings { rules { isInvited } } }')
  const sent = await invite(['Ada@invited.test', 'ada@invited.test', 'known@example.com'])
  expect(sent).toMatchObject([{ kind: 'INVITATION', to: 'ada@invited.test' }])
  const [link] = /http\S+/.exec(sent[0].text) ?? []
  const page = await (await test.app.fetch(new Request(link as string))).text()
  expect(page).toContain('value="ada@invited.test"')
  expect(await invite(['ada@invited.test'])).toEqual([])
  for (const email of ['ada@invited.test', 'other@stranger.test']) {
    await applyTo(program, { email })
    await confirm(program, email)
  }
  expect(await applications(program)).toMatchObject([
    { email: 'other@stranger.test', state: 'APPLIED' },
    { email: 'ada@invited.test', state: 'APPROVED', reason: 'We invited them' },
  ])
  await expect(invite(['not an address'])).rejects.toThrow('is not a valid e-mail address')
  await run(program, 'updateJoinSettings', { isOpen: false }, '{ __typename }')
  await expect(invite(['new@invited.test'])).rejects.toThrow('takes no applications')
})

it('a question can have the name of a property that all objects have', async () => {
  const program = await test.createProgram()
  const fields = [{ name: 'constructor', label: 'Who builds it?', type: 'TEXT', isRequired: true }]
  await run(program, 'updateJoinSettings', { fields }, '{ joinSettings { isOpen } }')
  const sent = await applyTo(program, { email: 'ada@stranger.test' })
  expect(sent).toMatchObject({ status: 422, body: { details: ["constructor can't be blank"] } })
})
