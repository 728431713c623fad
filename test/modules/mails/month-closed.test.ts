import { afterAll, beforeEach, expect, it } from 'vitest'
import { writeNotices } from '../../../src/modules/mails/notices.ts'
import { createTestApp, type TestProgram, testKey } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import { pagesOfPdf } from '../../support/pdf.ts'
import { createSmtp } from '../../support/smtp.ts'
import { closeMonth } from '../../support/statements.ts'

const smtp = await createSmtp()
const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z', mailer: smtp.mailer })
afterAll(smtp.close)
const { db } = test.database
let program: TestProgram

beforeEach(async () => {
  program = await test.createProgram()
})

const notify = () => writeNotices({ db, now: () => test.clock.now, publicUrl: () => test.origin, key: testKey })
const receivedBy = (to: string) =>
  smtp.received.filter(({ recipients, attachments }) => recipients.includes(to) && attachments.length > 0)

/** Reports a sale of each, and closes the month after its end. */
async function closeWith(coupons: readonly string[], fields: object = {}) {
  const month = test.clock.now.toISOString().slice(0, 7)
  for (const coupon of coupons) await reportSale(program, { coupon, ...fields })
  test.clock.advanceDays(31)
  return { month, statements: await closeMonth(program, month) }
}

/** Writes the mails, also by two instances at a time, and sends them. */
async function send() {
  await Promise.all([notify(), notify()])
  await notify()
  await test.app.sendMails()
}

it('each affiliate with a statement gets it once as a PDF, in their language', async () => {
  const [ada, bob] = [await createSeller(program), await createSeller(program)]
  await createSeller(program)
  await program.graphql(
    'mutation ($id: ID!) { updateAffiliate(input: { id: $id, language: "de" }) { affiliate { id } } }',
    { id: bob.affiliate.id },
  )
  const { month, statements } = await closeWith([ada.coupon, bob.coupon])
  expect(statements).toHaveLength(2)
  await send()
  const [mail, ...more] = receivedBy(ada.affiliate.email)
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/^Your statement of .* from Acme, as a PDF$/)
  expect(mail?.text).toContain('Owed to you at the end of the month: $10.00')
  expect(mail?.text).toContain(`/portal?program=${program.slug}#statements`)
  const [paper] = mail?.attachments ?? []
  expect([paper?.filename, paper?.contentType]).toEqual([`statement-${month}-usd.pdf`, 'application/pdf'])
  const own = statements.find(({ affiliateId }) => affiliateId === ada.affiliate.id)
  expect(pagesOfPdf(paper?.content as Buffer)[0]).toContain(`SHA-256 ${own?.hash}`)
  const [german] = receivedBy(bob.affiliate.email)
  expect(german?.subject).toContain('Ihre Abrechnung')
  expect(pagesOfPdf(german?.attachments[0]?.content as Buffer)[0]).toContain('Provision')
})

it('one mail has the statements of all currencies', async () => {
  const { affiliate, coupon } = await createSeller(program)
  await program.graphql(
    'mutation ($id: ID!) { createCommission(input: { kind: BONUS, affiliateId: $id, amountCents: 300, currency: "eur", reason: "Thanks" }) { commission { id } } }',
    { id: affiliate.id },
  )
  await closeWith([coupon])
  await send()
  const [mail, ...more] = receivedBy(affiliate.email)
  expect(more).toEqual([])
  expect(mail?.text).toContain('$10.00 + €3.00')
  expect(mail?.attachments.map(({ filename }) => filename?.slice(-7))).toEqual(['eur.pdf', 'usd.pdf'])
})

it('affiliates who want no statements, a kind that is off, and a sandbox get none', async () => {
  const { affiliate, coupon } = await createSeller(program)
  await db.mailChoices.create({
    data: { programId: program.id, affiliateId: affiliate.id, getsStatementMails: false, updatedAt: test.clock.now },
  })
  await closeWith([coupon])
  await send()
  const off = await test.createProgram()
  await off.graphql('mutation { updateMailKind(input: { kind: MONTH_CLOSED, isOn: false }) { mailTexts { kind } } }')
  const sandbox = await test.createProgram({ isSandbox: true })
  for (const other of [off, sandbox]) {
    program = other
    const seller = await createSeller(program)
    await closeWith([seller.coupon])
    await send()
    expect(receivedBy(seller.affiliate.email)).toEqual([])
  }
  expect(receivedBy(affiliate.email)).toEqual([])
  expect(await db.statementMonth.count({ where: { mailedAt: null } })).toBe(0)
})
