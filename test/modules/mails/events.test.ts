import { createSign, generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { withTransaction } from '../../../src/database/client/transaction.ts'
import { queueMails } from '../../../src/modules/mails/queue.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'

const secret = 'a-secret-of-the-provider'
const topicArn = 'arn:aws:sns:eu-west-1:123456789012:ses-events'
const test = await createTestApp({ mailEvents: { secret, topicArn } })
afterEach(() => vi.restoreAllMocks())

const send = (body: unknown, search = `?secret=${secret}`, headers: Record<string, string> = {}) =>
  test.app.fetch(
    new Request(`http://localhost:4000/mail/events${search}`, {
      method: 'POST',
      // SNS sends JSON as text.
      headers: { 'Content-Type': 'text/plain; charset=UTF-8', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

async function mailTo(program: TestProgram, to: string): Promise<void> {
  const row = await test.database.db.program.findUniqueOrThrow({ where: { id: program.id } })
  const mail = { kind: 'sign_in', to, language: 'en', values: {} } as const
  await withTransaction(test.database.db, (tx) => queueMails(tx, { program: row }, [mail], test.clock.now))
}

const statesOf = async (program: TestProgram) =>
  (await program.graphql('{ mails(first: 10) { nodes { state error } } }')).mails.nodes

const sns = (message: object) => ({
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:ses-events',
  Message: JSON.stringify(message),
  Timestamp: '2026-05-02T00:54:06.655Z',
  SignatureVersion: '1',
})
const sesBounce = (bounceType: string, emailAddress: string) => ({
  notificationType: 'Bounce',
  bounce: {
    bounceType,
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress, action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 unknown' }],
    timestamp: '2026-05-02T00:41:02.669Z',
  },
  mail: { source: 'partners@acme.test', destination: [emailAddress] },
})
const postmark = (Type: string, Email: string, Inactive = true) => ({
  RecordType: 'Bounce',
  ID: 42,
  Type,
  TypeCode: 1,
  Name: 'Hard bounce',
  Email,
  Inactive,
  CanActivate: true,
})
const sendGrid = (event: string, email: string, more: object = {}) => [
  { email, timestamp: 1_513_299_569, 'smtp-id': '<14c5@ismtpd-555>', event, sg_event_id: 'x', ...more },
]
const mailgun = (event: string, recipient: string, more: object = {}) => ({
  signature: { timestamp: '1529006854', token: 'a8ce0edb', signature: 'd2271d12' },
  'event-data': { event, recipient, id: 'G9Bn5sl1TC6nu79C8C0bwg', ...more },
})
const resend = (type: string, to: string, bounce?: object) => ({
  type,
  created_at: '2026-11-22T23:41:12.126Z',
  data: { email_id: '56761188', from: 'Acme <partners@acme.test>', to: [to], subject: 'Hello', bounce },
})

const stops: [string, (to: string) => unknown][] = [
  ['Amazon SES: bounce', (to) => sns(sesBounce('Permanent', `Ada <${to}>`))],
  [
    'Amazon SES: complaint of a configuration set',
    (to) => sns({ eventType: 'Complaint', complaint: { complainedRecipients: [{ emailAddress: to }] } }),
  ],
  ['Amazon SES: bounce, raw', (to) => sesBounce('Permanent', to)],
  ['Postmark: hard bounce', (to) => postmark('HardBounce', to)],
  ['Postmark: complaint', (to) => ({ RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: to })],
  ['SendGrid: bounce', (to) => sendGrid('bounce', to, { type: 'bounce', status: '5.0.0' })],
  ['SendGrid: dropped', (to) => sendGrid('dropped', to, { reason: 'Bounced Address' })],
  ['SendGrid: complaint', (to) => sendGrid('spamreport', to)],
  ['Mailgun: bounce', (to) => mailgun('failed', to, { severity: 'permanent', reason: 'bounce' })],
  ['Mailgun: complaint', (to) => mailgun('complained', to)],
  ['Resend: bounce', (to) => resend('email.bounced', to, { type: 'Permanent', subType: 'Suppressed' })],
  ['Resend: complaint', (to) => resend('email.complained', to)],
  ['generic: bounce', (to) => ({ events: [{ type: 'bounce', email: to }] })],
]

it.each(stops)('%s stops mail to the address, once', async (_, body) => {
  const program = await test.createProgram()
  await mailTo(program, 'ada@bounce.test')
  await mailTo(program, 'bob@bounce.test')
  for (let times = 0; times < 2; times += 1) {
    const response = await send(body('ADA@bounce.test'))
    expect([response.status, await response.json()]).toEqual([200, { received: 1, stopped: 1 }])
  }
  await mailTo(program, 'ada@bounce.test')
  expect((await statesOf(program)).map(({ state }: any) => state)).toEqual(['STOPPED', 'PENDING', 'STOPPED'])
  expect(await test.database.db.mailStop.count({ where: { programId: program.id } })).toBe(1)
})

const others: [string, (to: string) => unknown][] = [
  ['Amazon SES: soft bounce', (to) => sns(sesBounce('Transient', to))],
  ['Amazon SES: delivery', () => sns({ notificationType: 'Delivery' })],
  ['Postmark: soft bounce', (to) => postmark('SoftBounce', to, false)],
  ['Postmark: delivery', (to) => ({ RecordType: 'Delivery', Recipient: to })],
  ['SendGrid: blocked', (to) => sendGrid('bounce', to, { type: 'blocked' })],
  ['SendGrid: deferred', (to) => sendGrid('deferred', to)],
  ['Mailgun: temporary', (to) => mailgun('failed', to, { severity: 'temporary', reason: 'generic' })],
  ['Mailgun: too many attempts', (to) => mailgun('failed', to, { severity: 'permanent', reason: 'old' })],
  ['Resend: soft bounce', (to) => resend('email.bounced', to, { type: 'Transient' })],
  ['Resend: delivered', (to) => resend('email.delivered', to)],
]

it.each(others)('%s changes nothing', async (_, body) => {
  const program = await test.createProgram()
  await mailTo(program, 'ada@soft.test')
  const response = await send(body('ada@soft.test'))
  expect([response.status, await response.json()]).toEqual([200, { received: 0, stopped: 0 }])
  expect(await statesOf(program)).toMatchObject([{ state: 'PENDING' }])
})

it('a stopped mail can be sent again, which ends the stop', async () => {
  const program = await test.createProgram()
  await mailTo(program, 'ada@again.test')
  await send({ events: [{ type: 'complaint', email: 'ada@again.test' }] })
  const [{ id }] = (await program.graphql('{ mails(first: 1) { nodes { id } } }')).mails.nodes
  await program.graphql('mutation ($id: ID!) { retryMail(input: { id: $id }) { mail { id } } }', { id })
  expect(await statesOf(program)).toMatchObject([{ state: 'PENDING', error: null }])
  expect(await test.database.db.mailStop.count({ where: { programId: program.id } })).toBe(0)
})

it('an address that no program has sent mail to is not kept', async () => {
  const response = await send({ events: [{ type: 'bounce', email: 'nobody@unknown.test' }] })
  expect(await response.json()).toEqual({ received: 1, stopped: 0 })
  expect(await test.database.db.mailStop.count({ where: { emailKey: 'nobody@unknown.test' } })).toBe(0)
})

it.each([
  ['a bearer token', { Authorization: `Bearer ${secret}` }],
  ['HTTP Basic', { Authorization: `Basic ${btoa(`events:${secret}`)}` }],
])('the secret can be %s', async (_, headers) => {
  expect((await send({ events: [] }, '', headers)).status).toBe(200)
})

it.each([
  ['without the secret', '', 401, 'MAIL_EVENTS_SECRET'],
  ['with a wrong secret', '?secret=wrong', 401, 'MAIL_EVENTS_SECRET'],
])('%s it is rejected', async (_, search, status, text) => {
  const response = await send({ events: [] }, search)
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)])
})

it.each([
  ['text', 'hello', 400, 'not valid JSON'],
  ['an unknown body', { hello: 'world' }, 422, 'is not an event of Amazon SES'],
  ['a number', 4, 422, 'is not an event of Amazon SES'],
  ['an unknown event of the own form', { events: [{ type: 'open', email: 'a@b.test' }] }, 422, 'is not an event of'],
])('%s is an error that says what is read', async (_, body, status, text) => {
  const response = await send(body)
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)])
})

it('without the setting, it says which one is missing', async () => {
  const { app } = await createTestApp()
  const response = await app.fetch(new Request('http://localhost:4000/mail/events', { method: 'POST', body: '{}' }))
  expect(await response.text()).toContain('Set MAIL_EVENTS_SECRET')
})

const subscription = (TopicArn: string) => ({
  Type: 'SubscriptionConfirmation',
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37f',
  TopicArn,
  SubscribeURL: 'http://169.254.169.254/latest/meta-data',
})

it('a subscription of Amazon SNS is confirmed at Amazon, whatever address the body names', async () => {
  const asked = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('<ok/>'))
  expect((await send(subscription('arn:aws:sns:eu-west-1:123456789012:ses-events'))).status).toBe(200)
  expect(asked.mock.calls.map(([url]) => String(url))).toEqual([
    'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn%3Aaws%3Asns%3Aeu-west-1%3A123456789012%3Ases-events&Token=2336412f37f',
  ])
})

it.each(['arn:aws:sns:evil.test/?:123456789012:x', 'arn:aws:sns:eu-west-1@evil.test#:123456789012:x', 'x'])(
  'the topic %s is asked nowhere',
  async (topic) => {
    const asked = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
    expect((await send(subscription(topic))).status).toBe(422)
    expect(asked).not.toHaveBeenCalled()
  },
)

it('a subscription that Amazon does not confirm is an error, so that it is asked again', async () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 403 }))
  const response = await send(subscription('arn:aws:sns:eu-west-1:123456789012:ses-events'))
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(await response.text()).toContain('did not confirm')
})

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' })
const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem'

/** As Amazon does: the fields in this order, each with its name. */
function signed(fields: Record<string, string>, { version = '2', url = certificateUrl } = {}) {
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}\n${fields[name]}\n`)
    .join('')
  const signature = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
    .update(text)
    .sign(privateKey, 'base64')
  return { ...fields, SignatureVersion: version, Signature: signature, SigningCertURL: url }
}
const bounceOf = (to: string, more: Record<string, string> = {}) => {
  const { SignatureVersion: _, ...message } = sns(sesBounce('Permanent', to))
  return Object.assign(message, more)
}
const sendSigned = (body: object, topic = topicArn) => send(body, '', { 'x-amz-sns-topic-arn': topic })
/** Amazon, which has the certificate at one address. */
const amazon = () =>
  vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (url) => (String(url) === certificateUrl ? new Response(pem) : new Response('<ok/>')))

it.each(['1', '2'])('a message of the topic with a signature of version %s needs no secret', async (version) => {
  const program = await test.createProgram()
  await mailTo(program, 'ada@signed.test')
  amazon()
  const response = await sendSigned(signed(bounceOf('ada@signed.test', { Subject: 'Amazon SES' }), { version }))
  expect([response.status, await response.json()]).toEqual([200, { received: 1, stopped: 1 }])
  expect(await statesOf(program)).toMatchObject([{ state: 'STOPPED' }])
})

it('the certificate is read once', async () => {
  const { app } = await createTestApp({ mailEvents: { topicArn } })
  const asked = amazon()
  for (let times = 0; times < 3; times += 1) {
    const response = await app.fetch(
      new Request('http://localhost:4000/mail/events', {
        method: 'POST',
        headers: { 'x-amz-sns-topic-arn': topicArn },
        body: JSON.stringify(signed(bounceOf('ada@signed.test'))),
      }),
    )
    expect(response.status).toBe(200)
  }
  expect(asked.mock.calls.map(([url]) => String(url))).toEqual([certificateUrl])
})

const forged: [string, () => object][] = [
  ['whose text was changed', () => ({ ...signed(bounceOf('ada@signed.test')), Message: '{}' })],
  [
    'without a signature',
    () => ({ ...bounceOf('ada@signed.test'), SignatureVersion: '2', SigningCertURL: certificateUrl }),
  ],
  ['of a type that SNS does not have', () => signed(bounceOf('ada@signed.test', { Type: 'constructor' }))],
  ['of an unknown version', () => ({ ...signed(bounceOf('ada@signed.test')), SignatureVersion: '3' })],
  [
    'of another topic',
    () => signed(bounceOf('ada@signed.test', { TopicArn: topicArn.replace('ses-events', 'other') })),
  ],
  ...[
    'https://sns.eu-west-1.amazonaws.com.evil.test/SimpleNotificationService-0123456789abcdef.pem',
    'https://evil.test/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-../../bucket/0123.pem',
    'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.eu-west-1.amazonaws.com@evil.test/SimpleNotificationService-01.pem',
  ].map((url): [string, () => object] => [
    `with the certificate ${url}`,
    () => signed(bounceOf('ada@signed.test'), { url }),
  ]),
]

it.each(forged)('a message %s is rejected, and no other host is asked', async (_, body) => {
  const asked = amazon()
  const response = await sendSigned(body())
  expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('MAIL_EVENTS_TOPIC_ARN')])
  for (const [url] of asked.mock.calls) expect(String(url)).toBe(certificateUrl)
})

it('a certificate that cannot be read is answered so that Amazon sends the message again', async () => {
  const { app } = await createTestApp({ mailEvents: { topicArn } })
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no route'))
  const response = await app.fetch(
    new Request('http://localhost:4000/mail/events', {
      method: 'POST',
      headers: { 'x-amz-sns-topic-arn': topicArn },
      body: JSON.stringify(signed(bounceOf('ada@signed.test'))),
    }),
  )
  expect(response.status).toBe(503)
})

it('a signed subscription of the topic of the setting is confirmed, and one of another topic is not', async () => {
  const asked = amazon()
  const request = (TopicArn: string) => ({
    ...subscription(TopicArn),
    Message: 'You have chosen to subscribe to the topic.',
    SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription',
    Timestamp: '2026-05-02T00:54:06.655Z',
  })
  expect((await sendSigned(signed(request(topicArn)))).status).toBe(200)
  expect(asked.mock.calls.map(([url]) => String(url)).at(-1)).toContain('Action=ConfirmSubscription&TopicArn=')
  asked.mockClear()
  const response = await send(request(topicArn.replace('ses-events', 'other')))
  expect([response.status, await response.text()]).toEqual([
    422,
    expect.stringContaining('Set MAIL_EVENTS_TOPIC_ARN to the topic'),
  ])
  expect(asked).not.toHaveBeenCalled()
})
