import { afterAll, beforeEach, expect, it } from 'vitest'
import { preferencesUrl } from '../../../src/modules/mails/choices.ts'
import { writeNotices } from '../../../src/modules/mails/notices.ts'
import { unsubscribeUrl } from '../../../src/modules/mails/unsubscribe.ts'
import { createTestApp, type TestProgram, testKey } from '../../support/app.ts'
import { createCountedDatabase } from '../../support/database.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import { addMember, setUpOperator } from '../../support/people.ts'
import { createSmtp } from '../../support/smtp.ts'

const smtp = await createSmtp()
const test = await createTestApp({ mailer: smtp.mailer })
afterAll(smtp.close)
let program: TestProgram

const notify = () =>
  writeNotices({ db: test.database.db, now: () => test.clock.now, publicUrl: () => test.origin, key: testKey })

const mails = async () =>
  (await program.graphql('{ mails(last: 50) { nodes { kind to subject text state affiliateId } } }')).mails.nodes

/** A program whose affiliate is told of commissions with a cadence. */
async function sellerTold(commissions: 'at_once' | 'daily' | 'weekly' | 'never') {
  await notify()
  const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
  const { affiliates } = await program.graphql('{ affiliates(first: 1) { nodes { id email } } }')
  const [{ id, email }] = affiliates.nodes
  await test.database.db.mailChoices.create({
    data: { programId: program.id, affiliateId: id, commissions, updatedAt: test.clock.now },
  })
  return { ...seller, id: id as string, email: email as string }
}

beforeEach(async () => {
  program = await test.createProgram()
})

const sell = (coupon: string, externalId: string) =>
  reportSale(program, { coupon, email: `${externalId}@customer.test`, external_id: externalId, amount_cents: 10_000 })

it('tells of commissions at once, each once, also if several instances do it', async () => {
  const { coupon, email } = await sellerTold('at_once')
  await sell(coupon, 'one')
  await sell(coupon, 'two')
  test.clock.advanceMinutes(2)
  await Promise.all([notify(), notify()])
  await notify()
  expect(await mails()).toMatchObject([
    { kind: 'COMMISSIONS_EARNED', to: email, text: expect.stringContaining('New commissions: 2') },
  ])
})

it('a digest is one mail, also of several currencies', async () => {
  const { id, email } = await sellerTold('daily')
  const { graphql } = program
  for (const [currency, amountCents] of [
    ['usd', 1234],
    ['usd', 66],
    ['jpy', 500],
    ['kwd', 9025],
  ] as const) {
    const input = { affiliateId: id, kind: 'BONUS', reason: 'Thanks', currency, amountCents }
    await graphql(
      'mutation ($input: CreateCommissionInput!) { createCommission(input: $input) { commission { id } } }',
      { input },
    )
  }
  test.clock.advanceDays(1)
  await notify()
  const earned = (await mails()).filter(({ kind }: { kind: string }) => kind === 'COMMISSIONS_EARNED')
  expect(earned.map(({ to, subject }: { to: string; subject: string }) => [to, subject])).toEqual([
    [email, 'You earned $13.00 + ¥500 + KWD 9.025 at Acme'],
  ])
  expect(earned[0].text).toContain('New commissions: 4\nTogether: $13.00 + ¥500 + KWD\u00a09.025\n')
})

it.each([
  ['America/Los_Angeles', '14:00', 'daily'],
  ['Asia/Kolkata', '01:30', 'daily'],
  ['Pacific/Auckland', '18:00', 'weekly'],
] as const)("a digest comes at 07:00 in the program's time zone: %s is %s UTC, %s", async (timeZone, utc, cadence) => {
  program = await test.createProgram({ timeZone })
  const { coupon } = await sellerTold(cadence)
  await sell(coupon, timeZone)
  const days = cadence === 'daily' ? 2 : 9
  const until = test.clock.now.getTime() + days * 86_400_000
  const minute = (at: Date) => at.toISOString().slice(11, 16)
  const earned = async () => (await mails()).filter(({ kind }: { kind: string }) => kind === 'COMMISSIONS_EARNED')
  while (test.clock.now.getTime() < until && (await earned()).length === 0) {
    test.clock.advanceMinutes(30)
    await notify()
  }
  // What is younger than 20 seconds waits for the next look.
  const came = new Date(test.clock.now.getTime() - 30 * 60_000)
  expect([minute(came) <= utc && utc <= minute(test.clock.now), (await earned()).length]).toEqual([true, 1])
})

it('a daily digest has the commissions of the day, and one click stops it', async () => {
  const { coupon, email, id } = await sellerTold('daily')
  await sell(coupon, 'one')
  test.clock.advanceMinutes(10)
  await notify()
  expect(await mails()).toEqual([])
  test.clock.advanceDays(1)
  await notify()
  await test.app.sendMails()
  const [received] = smtp.received.filter(({ recipients }) => recipients.includes(email))
  const list = received?.headers.get('list') as { unsubscribe: { url: string } } | undefined
  const url = String(list?.unsubscribe.url)
  expect(url).toMatch(/^http:\/\/localhost:4000\/mail\/unsubscribe\//)
  expect(received?.headerLines.find(({ key }) => key === 'list-unsubscribe-post')?.line).toContain(
    'List-Unsubscribe=One-Click',
  )
  const choice = () => test.database.db.mailChoices.findFirst({ where: { affiliateId: id } })
  await test.app.fetch(new Request(url))
  expect((await choice())?.commissions).toBe('daily')
  const body = 'List-Unsubscribe=One-Click'
  expect((await test.app.fetch(new Request(url, { method: 'POST', body }))).status).toBe(200)
  expect((await choice())?.commissions).toBe('never')
  expect((await test.app.fetch(new Request(`${url}x`, { method: 'POST', body }))).status).toBe(404)
  const broken = await test.app.fetch(new Request(url.slice(0, -9), { headers: { 'Accept-Language': 'de' } }))
  expect([broken.status, await broken.text()]).toEqual([404, expect.stringContaining('Dieser Link gilt nicht mehr')])
  await sell(coupon, 'two')
  test.clock.advanceDays(1)
  await notify()
  expect(await mails()).toHaveLength(1)
})

it.each(['its program was deleted', 'the affiliate was erased'])(
  'a link in a mail no longer works after %s',
  async (how) => {
    const { id: affiliateId, email } = await sellerTold('daily')
    const { id, slug } = program
    if (how === 'the affiliate was erased')
      await program.graphql(
        'mutation ($email: EmailAddress!) { erasePerson(input: { email: $email }) { __typename } }',
        {
          email,
        },
      )
    else
      await test.operator(
        'mutation ($id: ID!, $slug: String!) { deleteProgram(input: { id: $id, confirmSlug: $slug }) { deletedRows } }',
        { id, slug },
      )
    for (const url of [
      unsubscribeUrl(test.origin, testKey, { programId: id, addresseeId: affiliateId, what: 'payouts' }),
      preferencesUrl(test.origin, testKey, { programId: id, affiliateId }),
    ]) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Language': 'de' }
      const sent = await test.app.fetch(new Request(url, { method: 'POST', headers, body: 'commissions=never' }))
      expect([sent.status, await sent.text()]).toEqual([404, expect.stringContaining('Dieser Link gilt nicht mehr')])
    }
  },
)

it('tells of a paid payout', async () => {
  const { coupon, email } = await sellerTold('never')
  await sell(coupon, 'one')
  test.clock.advanceMinutes(10)
  const [{ id }] = (await program.get('/payouts')).body.data
  expect((await program.post(`/payouts/${id}/pay`)).status).toBe(200)
  test.clock.advanceMinutes(2)
  await notify()
  expect(await mails()).toMatchObject([{ kind: 'PAYOUT_SENT', to: email }])
})

it('a link in a mail leads to a page where all mails are chosen, without signing in', async () => {
  const { coupon, id } = await sellerTold('at_once')
  await sell(coupon, 'one')
  test.clock.advanceMinutes(2)
  await notify()
  const [, url = ''] = /(http:\/\/localhost:4000\/mail\/preferences\/\S+)/.exec((await mails())[0]?.text ?? '') ?? []
  expect(await (await test.app.fetch(new Request(url))).text()).toContain('value="at_once" selected')
  const save = (body: string, to = url) =>
    test.app.fetch(
      new Request(to, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
    )
  expect(await (await save('commissions=weekly')).text()).toMatch(/Saved\.[\s\S]*value="weekly" selected/)
  const choice = () => test.database.db.mailChoices.findFirst({ where: { affiliateId: id } })
  expect(await choice()).toMatchObject({ commissions: 'weekly', getsPayoutMails: false })
  await save('commissions=nonsense&payouts=true')
  expect(await choice()).toMatchObject({ commissions: 'weekly', getsPayoutMails: true })
  expect((await save('commissions=never', `${url}x`)).status).toBe(404)
})

it('stops mail to an address that bounced, and erases the mails of a person', async () => {
  const { coupon, email } = await sellerTold('at_once')
  smtp.rejections.set(email, 550)
  for (const sale of ['one', 'two']) {
    await sell(coupon, sale)
    test.clock.advanceMinutes(2)
    await notify()
    await test.app.sendMails()
  }
  expect((await mails()).map(({ state }: any) => state).sort()).toEqual(['FAILED', 'STOPPED'])
  const { exportPerson } = await program.graphql(`{ exportPerson(email: "${email}") { json } }`)
  expect(JSON.parse(exportPerson.json).mails).toHaveLength(2)
  await program.graphql(
    'mutation ($email: EmailAddress!) { erasePerson(input: { email: $email, openMoney: GIVE_UP, reason: "Asked" }) { __typename } }',
    { email },
  )
  expect(await mails()).toEqual([])
})

it('programs in which nothing has happened cost one statement in all', async () => {
  const database = await createCountedDatabase()
  const counted = await createTestApp({ database })
  for (let n = 0; n < 3; n += 1) await counted.createProgram()
  const notifying = { db: database.db, now: () => counted.clock.now, publicUrl: () => counted.origin, key: testKey }
  await writeNotices(notifying)
  // What was created just before is looked at once more.
  counted.clock.advanceMinutes(1)
  await writeNotices(notifying)
  counted.clock.advanceDays(8)
  database.statements.length = 0
  await writeNotices(notifying)
  expect(database.statements).toHaveLength(1)
})

it('owners and managers hear once a day of new applications, until that is turned off', async () => {
  const olga = await setUpOperator(test)
  const [owner, manager] = ['owner', 'manager'].map((name) => `${name}-of-${program.slug}@acme.test`)
  await addMember(test, olga, program.id, { email: owner as string, role: 'OWNER' })
  await addMember(test, olga, program.id, { email: manager as string, role: 'MANAGER' })
  await addMember(test, olga, program.id, { email: `analyst-of-${program.slug}@acme.test`, role: 'ANALYST' })
  await notify()
  const applyConfirmed = async (email: string) => {
    await program.graphql(`mutation { apply(input: { email: "${email}" }) { __typename } }`)
    const data = { confirmedAt: test.clock.now }
    await test.database.db.application.updateMany({ where: { programId: program.id, confirmedAt: null }, data })
  }
  const told = async () => (await mails()).filter(({ kind }: any) => kind === 'WORK_WAITING')
  await applyConfirmed('one@stranger.test')
  await applyConfirmed('two@stranger.test')
  for (let days = 0; days < 2; days += 1) {
    test.clock.advanceDays(1)
    await Promise.all([notify(), notify()])
  }
  const text = expect.stringMatching(new RegExp(`decision: 2[^]*/dashboard/${program.slug}/applications`))
  expect((await told()).map(({ to }: any) => to).sort()).toEqual([manager, owner])
  expect(await told()).toMatchObject([{ text }, { text }])
  const off = 'mutation { updateJoinSettings(input: { mailsManagers: false }) { joinSettings { mailsManagers } } }'
  expect((await program.graphql(off)).updateJoinSettings.joinSettings).toEqual({ mailsManagers: false })
  await applyConfirmed('three@stranger.test')
  test.clock.advanceDays(1)
  await notify()
  expect(await told()).toHaveLength(2)
})
