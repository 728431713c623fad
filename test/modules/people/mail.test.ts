import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { createLog } from '../../../src/kernel/log.ts'
import { readMailSettings } from '../../../src/kernel/mail.ts'
import { createMailer } from '../../../src/server/operations/mailer.ts'
import { createTestApp } from '../../support/app.ts'
import { createMailServer, type ReceivedMail } from '../../support/mail-server.ts'
import { addMember, createBrowser, password, setUpOperator } from '../../support/people.ts'

const server = await createMailServer()
const lines: string[] = []
const log = createLog('trace', { destination: { write: (line: string) => void lines.push(line) } as never })
const smtpUrl = `smtp://tributary:s3cr%40t-of-smtp@127.0.0.1:${server.port}`
const { settings } = readMailSettings(smtpUrl, 'Acme Partners <partners@acme.test>')
if (!settings) throw new Error('the settings are not valid')
const mailer = createMailer({ settings, log, retryAfterMs: [50, 200, 1_000] })
const test = await createTestApp({ mailer, log })
const olga = await setUpOperator(test)
const acme = await test.createProgram()
await addMember(test, olga, acme.id, { email: 'fay@acme.test', role: 'ANALYST', name: 'Fay Forgetful' })
await arrived('fay@acme.test')
server.received.splice(0)

afterAll(() => server.close())
afterEach(() => {
  server.rejectWith(null)
  server.received.splice(0)
})

async function arrived(to: string): Promise<ReceivedMail> {
  return vi.waitFor(
    () => {
      const mail = server.received.find((mail) => mail.to === to)
      if (!mail) throw new Error(`no mail to ${to}`)
      return mail
    },
    { timeout: 20_000 },
  )
}

const tokenOf = ({ text }: ReceivedMail) => /#token=(\S+)/.exec(text)?.[1] as string

const invite = async (email: string, headers = {}) =>
  (
    await olga.graphql(acme.id, headers)(
      'mutation ($email: EmailAddress!) { inviteMember(input: { email: $email, role: MANAGER }) { url isMailed invitation { id } } }',
      { email },
    )
  ).inviteMember

it('mails an invitation, whose link makes the account', async () => {
  const { url, isMailed } = await invite('new@acme.test')
  expect(isMailed).toBe(true)
  const mail = await arrived('new@acme.test')
  expect(mail.subject).toBe('Invitation to Acme')
  expect(mail.source).toContain('From: Acme Partners <partners@acme.test>')
  expect(mail.text).toContain('Olga Operator invites you to the affiliate program Acme, as a manager.')
  expect(mail.text).toContain('within seven days')
  expect(mail.text).toContain(url)
  expect(mail.html).toContain(`<a href="${url}">`)
  const answer = await createBrowser(test).post('/invitation', { token: tokenOf(mail), name: 'Nils', password })
  expect(answer.status).toBe(201)
})

it('names are text in the mail, not HTML', async () => {
  await test.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
    input: { id: acme.id, name: 'A & <b>B</b>' },
  })
  await invite('html@acme.test')
  const mail = await arrived('html@acme.test')
  expect(mail.html).toContain('A &amp; &lt;b&gt;B&lt;/b&gt;')
  expect(mail.html).not.toContain('<b>')
})

it('an invitation stands when its mail is rejected', async () => {
  server.rejectWith('550 no such mailbox')
  const { url, isMailed } = await invite('rejected@acme.test')
  expect(isMailed).toBe(false)
  const answer = await createBrowser(test).post('/invitation/read', { token: url.split('#token=')[1] })
  expect(answer.body).toMatchObject({ email: 'rejected@acme.test' })
})

it('a mail that is put off is sent again', async () => {
  server.rejectWith('451 come back later')
  expect((await invite('later@acme.test')).isMailed).toBe(false)
  server.rejectWith(null)
  await arrived('later@acme.test')
})

it('a link that was revoked meanwhile is not mailed', async () => {
  server.rejectWith('451 come back later')
  let asked = 0
  const mail = { to: 'revoked@acme.test', subject: 'A link', text: 'A link', html: '<p>A link</p>' }
  const wasAskedAgain = new Promise<void>((resolve) => {
    const isCurrent = async () => {
      asked += 1
      if (asked === 1) return true
      server.rejectWith(null)
      resolve()
      return false
    }
    void mailer.send({ ...mail, kind: 'invitation', isUncommitted: false, isCurrent })
  })
  await wasAskedAgain
  await invite('after@acme.test')
  await arrived('after@acme.test')
  expect(server.received.map(({ to }) => to)).toEqual(['after@acme.test'])
  expect(asked).toBe(2)
})

it('with an Idempotency-Key, the mail follows the commit, once', async () => {
  const headers = { 'Idempotency-Key': 'invitation-1' }
  const first = await invite('keyed@acme.test', headers)
  expect(await invite('keyed@acme.test', headers)).toEqual(first)
  const mail = await arrived('keyed@acme.test')
  expect(mail.text).toContain(first.url)
  expect(server.received).toHaveLength(1)
})

it('a forgotten password is reset by a link in a mail; the answer does not reveal whether an account exists', async () => {
  const browser = createBrowser(test)
  const known = await browser.post('/password-reset/mail', { email: ' Fay@Acme.test ' })
  const unknown = await browser.post('/password-reset/mail', { email: 'nobody@acme.test' })
  expect([known.status, known.body]).toEqual([200, {}])
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  const mail = await arrived('fay@acme.test')
  expect(mail.subject).toBe('Choose a new password')
  const operators = await olga.graphql()(
    'mutation { createPasswordResetLink(input: { email: "olga@example.com" }) { isMailed } }',
  )
  expect(operators.createPasswordResetLink.isMailed).toBe(true)
  expect(server.received.map(({ to }) => to)).toEqual(['fay@acme.test', 'olga@example.com'])

  // Asking again does not end the first link. Using one ends all.
  await browser.post('/password-reset/mail', { email: 'fay@acme.test' })
  const again = await vi.waitFor(() => server.received[2] ?? Promise.reject(new Error('no third mail')), {
    timeout: 20_000,
  })
  const next = { token: tokenOf(mail), password: 'another four words here' }
  expect((await browser.post('/password-reset', next)).status).toBe(200)
  expect((await browser.post('/password-reset/read', { token: tokenOf(again as ReceivedMail) })).status).toBe(401)
  const signedIn = await browser.post('/auth/sign-in/email', { email: 'fay@acme.test', password: next.password })
  expect(signedIn.status).toBe(200)
})

it('mails to one account are limited, whether it exists or not', async () => {
  test.clock.advanceMinutes(20)
  for (const email of ['fay@acme.test', 'limited@acme.test']) {
    const browser = createBrowser(test)
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await browser.post('/password-reset/mail', { email })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  }
  await vi.waitFor(() => expect(server.received).toHaveLength(3), { timeout: 20_000 })
})

it('no line of the log has a link, an address of a mail or the password of the mail server', () => {
  const all = lines.join('')
  expect(all).toContain('mail not sent')
  expect(all).not.toMatch(/#token=|later@acme|rejected@acme|s3cr/)
})

it('without a mail server there is nothing to ask for', async () => {
  const silent = await createTestApp()
  const browser = createBrowser(silent)
  expect((await browser.get('/auth/options')).body).toMatchObject({ oidc: null, canMail: false })
  expect((await browser.post('/password-reset/mail', { email: 'fay@acme.test' })).status).toBe(422)
  const operator = await setUpOperator(silent)
  const { createPasswordResetLink } = await operator.graphql()(
    'mutation { createPasswordResetLink(input: { email: "olga@example.com" }) { isMailed } }',
  )
  expect(createPasswordResetLink.isMailed).toBe(null)
})
