import { afterAll, expect, it } from 'vitest'
import { withTransaction } from '../../../src/database/client/transaction.ts'
import { claimMails } from '../../../src/modules/mails/claim.ts'
import type { NewMail } from '../../../src/modules/mails/compose.ts'
import { queueMails } from '../../../src/modules/mails/queue.ts'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { createSmtp } from '../../support/smtp.ts'

const smtp = await createSmtp()
const test = await createTestApp({ mailer: smtp.mailer })
afterAll(smtp.close)

async function queue(
  program: TestProgram,
  mails: (Partial<NewMail> & { subject?: string })[],
  fails = false,
): Promise<void> {
  const row = await test.database.db.program.findUniqueOrThrow({ where: { id: program.id } })
  const whole = mails.map(
    ({ subject = 'Hello', ...mail }): NewMail => ({
      kind: 'sign_in',
      as: 'test',
      to: 'ada@example.com',
      language: 'en',
      values: {},
      written: { subject, text: 'Text', button: '' },
      ...mail,
    }),
  )
  await withTransaction(test.database.db, async (tx) => {
    await queueMails(tx, { program: row }, whole, test.clock.now)
    if (fails) throw new Error('rolled back')
  })
}

const outbox = async (program: TestProgram, where = {}) =>
  (
    await program.graphql(
      'query ($where: MailWhere) { mails(first: 100, where: $where) { nodes { id kind to subject text html state attempts error } } }',
      { where },
    )
  ).mails.nodes

const receivedBy = (to: string) => smtp.received.filter(({ recipients }) => recipients.includes(to))

it('a mail is sent once, also by several workers at a time', async () => {
  const program = await test.createProgram()
  await queue(
    program,
    Array.from({ length: 60 }, (_, index) => ({ to: `a${index}@once.test`, subject: `No. ${index}` })),
  )
  await Promise.all([test.app.sendMails(), test.app.sendMails()])
  await test.app.sendMails()
  const received = smtp.received.filter(({ recipients }) => recipients[0]?.endsWith('@once.test'))
  expect(new Set(received.map(({ subject }) => subject)).size).toBe(60)
  expect(received).toHaveLength(60)
  expect(received[0]).toMatchObject({ text: 'Text\n', from: { text: '"Acme" <service@tributary.test>' } })
  expect((await outbox(program)).every(({ state, attempts }: any) => state === 'SENT' && attempts === 1)).toBe(true)
})

it('a mail is written with its cause or not at all', async () => {
  const program = await test.createProgram()
  await expect(queue(program, [{}], true)).rejects.toThrow('rolled back')
  expect(await outbox(program)).toEqual([])
})

it('is tried again when the server cannot take it, and given up when it rejects the address', async () => {
  const program = await test.createProgram()
  smtp.rejections.set('later@retry.test', 451).set('gone@retry.test', 550)
  await queue(program, [{ to: 'later@retry.test' }, { to: 'gone@retry.test' }])
  await test.app.sendMails()
  expect(await outbox(program, { to: { equals: 'GONE@retry.test' } })).toMatchObject([{ state: 'FAILED', attempts: 1 }])
  expect(await outbox(program, { state: { equals: 'PENDING' } })).toMatchObject([
    { to: 'later@retry.test', attempts: 1 },
  ])
  smtp.rejections.clear()
  await test.app.sendMails()
  expect(receivedBy('later@retry.test')).toEqual([])
  test.clock.advanceMinutes(1)
  await test.app.sendMails()
  expect(receivedBy('later@retry.test')).toHaveLength(1)
  expect(await outbox(program, { to: { equals: 'later@retry.test' } })).toMatchObject([{ state: 'SENT', attempts: 2 }])
})

it('a mail whose worker was lost is sent by another one after the lease', async () => {
  const program = await test.createProgram()
  await queue(program, [{ to: 'lost@lease.test' }])
  expect(await claimMails(test.database.db, test.clock.now, 10)).toHaveLength(1)
  await test.app.sendMails()
  expect(receivedBy('lost@lease.test')).toEqual([])
  test.clock.advanceMinutes(3)
  await test.app.sendMails()
  expect(receivedBy('lost@lease.test')).toHaveLength(1)
})

it('a mail that waited for more than three days is not sent', async () => {
  const program = await test.createProgram()
  await queue(program, [{ to: 'old@age.test' }])
  test.clock.advanceDays(4)
  await test.app.sendMails()
  expect(receivedBy('old@age.test')).toEqual([])
  expect(await outbox(program)).toMatchObject([{ state: 'FAILED' }])
})

it('neither names nor addresses add header fields or recipients', async () => {
  const program = await test.createProgram()
  await test.database.db.program.update({
    where: { id: program.id },
    data: { name: 'Acme\r\nBcc: eve@evil.test\r\n' },
  })
  await queue(program, [
    { to: 'inject@header.test', subject: 'Hi\r\nBcc: eve@evil.test', unsubscribeUrl: 'http://localhost:4000/mail/x' },
    { to: 'two@header.test, eve@evil.test' },
  ])
  await test.app.sendMails()
  const [mail] = receivedBy('inject@header.test')
  expect(mail?.headers.has('bcc')).toBe(false)
  expect(mail?.subject).toBe('Hi Bcc: eve@evil.test')
  expect(mail?.headers.get('list')).toMatchObject({ unsubscribe: { url: 'http://localhost:4000/mail/x' } })
  expect(receivedBy('eve@evil.test')).toEqual([])
})

it('a sandbox keeps its mails in the outbox', async () => {
  const program = await test.createProgram({ isSandbox: true })
  await queue(program, [{ to: 'ada@sandbox.test' }])
  await test.app.sendMails()
  expect(receivedBy('ada@sandbox.test')).toEqual([])
  expect(await outbox(program)).toMatchObject([{ state: 'PENDING', attempts: 0 }])
})

it('the texts, which hold links, are closed to keys that only read', async () => {
  const program = await test.createProgram()
  await queue(program, [{}])
  const { createApiKey } = await test.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Reader", access: READ }) { secret } }',
    { id: program.id },
  )
  const reader = graphqlClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
  expect((await reader('{ mails { nodes { subject } } }')).mails.nodes).toEqual([{ subject: 'Hello' }])
  await expect(reader('{ mails { nodes { text } } }')).rejects.toThrow('This key may only read')
})

it('a person sends a failed mail again, and the address is no longer stopped', async () => {
  const program = await test.createProgram()
  const retry = (id: string) =>
    program.graphql('mutation ($id: ID!) { retryMail(input: { id: $id }) { mail { state error nextTryAt } } }', { id })
  smtp.rejections.set('full@again.test', 550)
  await queue(program, [{ to: 'full@again.test' }])
  await test.app.sendMails()
  await queue(program, [{ to: 'full@again.test', subject: 'Later' }])
  const [later, failed] = await outbox(program)
  expect([later.state, failed.state]).toEqual(['STOPPED', 'FAILED'])
  smtp.rejections.clear()
  expect((await retry(failed.id)).retryMail.mail).toMatchObject({ state: 'PENDING', error: null })
  await expect(retry(failed.id)).rejects.toThrow(
    'The mail is pending. Only failed and stopped mails can be sent again.',
  )
  await queue(program, [{ to: 'full@again.test', subject: 'Latest' }])
  await test.app.sendMails()
  expect(receivedBy('full@again.test').map(({ subject }) => subject)).toEqual(['Hello', 'Latest'])
  await expect(retry(failed.id)).rejects.toThrow('The mail is sent.')
})

it('a mail of last week is not sent again', async () => {
  const program = await test.createProgram()
  smtp.rejections.set('gone@old.test', 550)
  await queue(program, [{ to: 'gone@old.test' }])
  await test.app.sendMails()
  const [{ id }] = await outbox(program)
  test.clock.advanceDays(7)
  const retry = program.graphql(`mutation { retryMail(input: { id: "${id}" }) { __typename } }`)
  await expect(retry).rejects.toThrow('older than three days')
})
