import { afterAll, beforeEach, expect, it } from 'vitest'
import { writeNotices } from '../../../src/modules/mails/notices.ts'
import { createTestApp, type TestProgram, testKey } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import { addMember, setUpOperator } from '../../support/people.ts'
import { proposalsOf } from '../../support/proposals.ts'
import { createSmtp } from '../../support/smtp.ts'

const smtp = await createSmtp()
const test = await createTestApp({ mailer: smtp.mailer })
afterAll(smtp.close)
const olga = await setUpOperator(test)
let program: TestProgram

const { db } = test.database

const notify = () => writeNotices({ db, now: () => test.clock.now, publicUrl: () => test.origin, key: testKey })

const mails = async (kind: string) =>
  (
    await program.graphql(
      'query ($kind: MailKind!) { mails(first: 50, where: { kind: { equals: $kind } }) { nodes { to subject text state } } }',
      { kind },
    )
  ).mails.nodes as { to: string; subject: string; text: string; state: string }[]

const sell = (coupon: string, externalId: string) =>
  reportSale(program, { coupon, email: `${externalId}@customer.test`, external_id: externalId, amount_cents: 10_000 })

/** Moves the clock to a time of UTC, which is not before the present. */
const goTo = (time: string) => test.clock.advanceMinutes((Date.parse(time) - test.clock.now.getTime()) / 60_000)

beforeEach(async () => {
  const { now } = test.clock
  // The middle of the next month.
  goTo(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15)).toISOString())
  program = await test.createProgram()
})

const monthStart = (ahead: number, hour: number) =>
  new Date(Date.UTC(test.clock.now.getUTCFullYear(), test.clock.now.getUTCMonth() + ahead, 1, hour)).toISOString()

it('a statement says once what was earned, paid and is due, at 07:00 in the time zone of the program', async () => {
  await db.program.update({ where: { id: program.id }, data: { timeZone: 'America/New_York' } })
  await notify()
  const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
  await createSeller(program)
  await sell(seller.coupon, 'one')
  await sell(seller.coupon, 'two')
  // Still the last evening of the month in New York.
  goTo(monthStart(1, 2))
  await notify()
  expect(await mails('MONTHLY_STATEMENT')).toEqual([])
  goTo(monthStart(0, 13))
  await Promise.all([notify(), notify()])
  await notify()
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(test.clock.now.getTime() - 5 * 86_400_000),
  )
  expect(await mails('MONTHLY_STATEMENT')).toMatchObject([
    {
      subject: `Your statement of ${month} from Acme`,
      text: expect.stringMatching(/Earned in .*: \$20\.00\nPaid in .*: \$0\.00\nDue now: \$20\.00/),
    },
  ])
})

it('after a downtime, each month has its statement once; who wants none or has nothing gets none', async () => {
  await notify()
  const seller = await createSeller(program, { days_before_commissions_are_due: 1_000 })
  const silent = await createSeller(program, { days_before_commissions_are_due: 1_000 })
  await createSeller(program)
  const { id } = await db.affiliate.findFirstOrThrow({
    where: { programId: program.id, email: silent.affiliate.email },
  })
  await db.mailChoices.create({
    data: { programId: program.id, affiliateId: id, getsStatementMails: false, updatedAt: test.clock.now },
  })
  await sell(seller.coupon, 'one')
  await sell(silent.coupon, 'two')
  goTo(monthStart(1, 0))
  test.clock.advanceDays(9)
  await sell(seller.coupon, 'three')
  goTo(monthStart(2, 12))
  await notify()
  await notify()
  const statements = await mails('MONTHLY_STATEMENT')
  expect(statements).toHaveLength(2)
  expect(new Set(statements.map(({ to }) => to)).size).toBe(1)
  expect(new Set(statements.map(({ subject }) => subject)).size).toBe(2)
  expect(statements[0]?.text).toContain('Stop mails of this kind: ')
})

it('new terms are mailed once to those who have not accepted them, and again a week before they have to', async () => {
  await notify()
  const other = await createSeller(program)
  const seller = await createSeller(program)
  const day = (days: number) => new Date(test.clock.now.getTime() + days * 86_400_000).toISOString()
  await program.graphql(
    'mutation ($from: DateTime!, $requiredFrom: DateTime!) { publishTerms(input: { text: "Be fair.", from: $from, requiredFrom: $requiredFrom }) { terms { version requiredFrom } } }',
    { from: day(1), requiredFrom: day(30) },
  )
  test.clock.advanceMinutes(2)
  await Promise.all([notify(), notify()])
  await notify()
  expect(await mails('TERMS_CHANGED')).toHaveLength(2)
  expect((await mails('TERMS_CHANGED'))[0]?.text).toMatch(/They hold from .*\n\nAccept them by /)
  test.clock.advanceDays(2)
  const { id } = await db.affiliate.findFirstOrThrow({
    where: { programId: program.id, email: seller.affiliate.email },
  })
  const accepted = { programId: program.id, affiliateId: id, version: 1, acceptedAt: test.clock.now }
  await db.termsAcceptance.create({ data: accepted })
  test.clock.advanceDays(22)
  await notify()
  await notify()
  expect((await mails('TERMS_CHANGED')).filter(({ to }) => to === other.affiliate.email)).toHaveLength(2)
  expect(await mails('TERMS_CHANGED')).toHaveLength(3)
})

it('terms that have to be accepted before they hold are rejected', async () => {
  const published = program.graphql(
    'mutation { publishTerms(input: { text: "Be fair.", requiredFrom: "2020-01-01T00:00:00Z" }) { terms { version } } }',
  )
  await expect(published).rejects.toThrow('must not be before the terms begin to hold')
})

it('managers hear at once of failing webhooks, at most once a day, and each stops it alone', async () => {
  const [ann, bob] = ['ann', 'bob'].map((name) => `${name}-of-${program.slug}@acme.test`) as [string, string]
  await addMember(test, olga, program.id, { email: ann, role: 'OWNER' })
  await addMember(test, olga, program.id, { email: bob, role: 'MANAGER' })
  await notify()
  const { createWebhookEndpoint } = await program.graphql(
    'mutation { createWebhookEndpoint(input: { url: "https://hooks.acme.test/in" }) { webhookEndpoint { id } } }',
  )
  const { id } = createWebhookEndpoint.webhookEndpoint
  const failing = { where: { programId_id: { programId: program.id, id } }, data: { failingSince: test.clock.now } }
  await db.webhookEndpoint.update(failing)
  test.clock.advanceMinutes(2)
  await notify()
  expect(await mails('DELIVERIES_FAILING')).toEqual([])
  test.clock.advanceMinutes(10)
  await Promise.all([notify(), notify()])
  await notify()
  const first = await mails('DELIVERIES_FAILING')
  expect(first.map(({ to }) => to).sort()).toEqual([ann, bob])
  expect(first[0]?.text).toContain('https://hooks.acme.test/in')
  const of = (address: string) => first.find(({ to }) => to === address)?.text ?? ''
  const [, stop = ''] = /Stop mails of this kind: (\S+)/.exec(of(bob)) ?? []
  expect((await test.app.fetch(new Request(stop, { method: 'POST' }))).status).toBe(200)
  test.clock.advanceDays(1)
  test.clock.advanceMinutes(1)
  await notify()
  expect((await mails('DELIVERIES_FAILING')).map(({ to }) => to).sort()).toEqual([ann, ann, bob])
})

it('the daily mail lists all that waits, and a person turns it off', async () => {
  const address = `ann-of-${program.slug}@acme.test`
  const ann = await addMember(test, olga, program.id, { email: address, role: 'MANAGER' })
  await notify()
  const seller = await createSeller(program, { days_before_commissions_are_due: 0, minimum_payout_cents: 0 })
  await sell(seller.coupon, 'one')
  await db.commission.updateMany({ where: { programId: program.id }, data: { heldReason: 'dispute' } })
  test.clock.advanceDays(1)
  await notify()
  const [mail] = await mails('WORK_WAITING')
  expect(mail).toMatchObject({ to: address, text: expect.stringContaining('Commissions that are held: 1') })
  expect(mail?.text).not.toContain('Applications')
  test.clock.advanceDays(1)
  await notify()
  expect(await mails('WORK_WAITING')).toHaveLength(1)
  const update =
    'mutation { updateMyMails(input: { getsDailyMails: false }) { myMails { getsDailyMails getsFailureMails } } }'
  expect((await ann.graphql(program.id)(update)).updateMyMails.myMails).toEqual({
    getsDailyMails: false,
    getsFailureMails: true,
  })
  expect((await ann.graphql(program.id)('{ myMails { getsDailyMails } }')).myMails).toEqual({ getsDailyMails: false })
  await db.commission.updateMany({ where: { programId: program.id }, data: { updatedAt: test.clock.now } })
  test.clock.advanceDays(1)
  await notify()
  expect(await mails('WORK_WAITING')).toHaveLength(1)
  await expect(olga.graphql(program.id)(update)).rejects.toThrow('You get none.')
})

it('the daily mail and the status have proposals that can still be confirmed', async () => {
  const waiting = async () =>
    (await test.operator('{ installationStatus { waiting { proposals } } }')).installationStatus.waiting.proposals
  const before = await waiting()
  await addMember(test, olga, program.id, { email: `eve-of-${program.slug}@acme.test`, role: 'MANAGER' })
  await notify()
  const seller = await createSeller(program)
  const { commission } = await sell(seller.coupon, 'proposed')
  await proposalsOf(program.graphql).propose('VOID', { ids: [commission.id] })
  expect(await waiting()).toBe(before + 1)
  test.clock.advanceDays(1)
  await notify()
  const [mail] = await mails('WORK_WAITING')
  expect(mail?.text).toContain('Proposals that wait for confirmation: 1')
  expect(mail?.text).toContain(`/dashboard/${program.slug}/proposals`)
  test.clock.advanceDays(14)
  expect(await waiting()).toBe(before)
})
