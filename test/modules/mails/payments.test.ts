import { beforeEach, expect, it } from 'vitest'
import { writeNotices } from '../../../src/modules/mails/notices.ts'
import { writtenPayment } from '../../../src/modules/mails/template-values.ts'
import { createTestApp, type TestProgram, testKey } from '../../support/app.ts'
import { reportSale } from '../../support/factories.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import { withhold } from '../../support/withholding.ts'

const test = await createTestApp()
let program: TestProgram

beforeEach(async () => {
  program = await test.createProgram()
})

/** The outbox as a person reads it, the newest mail last, after what has happened since. */
async function outbox() {
  test.clock.advanceMinutes(2)
  await writeNotices({ db: test.database.db, now: () => test.clock.now, publicUrl: () => test.origin, key: testKey })
  const { mails } = await program.graphql('{ mails(last: 50) { nodes { kind to subject text } } }')
  return mails.nodes.filter(({ kind }: { kind: string }) => kind.startsWith('PAYOUT_')).reverse()
}

/** A run of one payment to an affiliate, which was sent. */
async function sentRun(method = 'PAYPAL', details: object = { wallet_a_email: 'ada@wallet.test' }) {
  await outbox()
  const one = await earner(program, details)
  const runs = runsOf(program)
  const run = await runs.create({ method })
  await runs.markSent(run.id, 'batch-7')
  const result = (state: string, more: object = {}) =>
    runs.record(run.id, [{ payoutId: one.payout.id, state, ...more }])
  return { ...one, runs, run, result }
}

it('the mail about a payment names service, masked address, day and reference, also to a disabled affiliate', async () => {
  const { result, affiliate } = await sentRun()
  await program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })
  await result('PAID')
  const [mail, ...others] = await outbox()
  expect([mail.kind, mail.to, others]).toEqual(['PAYOUT_SENT', affiliate.email, []])
  expect(mail.text).toMatch(/We have paid you \$10\.00\.\n\nPayPal · a\*\*\*@wallet\.test · \w+ \d+, \d{4} · batch-7\n/)
  expect(mail.text).not.toContain('ada@wallet.test')
})

it('the mail says what arrives, without the tax that is withheld', async () => {
  await withhold(program, 1_500)
  const { result } = await sentRun()
  await result('PAID')
  const [paid] = await outbox()
  expect(paid.text).toContain('We have paid you $8.50.')
  await result('RETURNED')
  const [, failed] = await outbox()
  expect(failed.text).toContain('$8.50')
})

it('a suspicious affiliate gets no mail about a payment', async () => {
  const { result, affiliate } = await sentRun()
  await program.put(`/affiliates/${affiliate.id}`, { state: 'suspicious' })
  await result('PAID')
  expect(await outbox()).toEqual([])
})

it.each([
  ['PAYPAL', { wallet_a_email: 'ada@wallet.test' }, 'PayPal', 'a***@wallet.test'],
  ['WISE', { wallet_b_email: 'ada@wise.test', first_name: 'Ada' }, 'Wise', 'a***@wise.test'],
  ['GENERIC', {}, 'the payment service', ''],
])(
  'an unclaimed payment is to be claimed, once, and is no failed one: %s',
  async (method, details, service, address) => {
    const { result } = await sentRun(method, details)
    await result('UNCLAIMED', { reference: 'ITEM-1', at: '2026-03-02T12:00:00Z' })
    await outbox()
    await result('UNCLAIMED', { reference: 'ITEM-1', at: '2026-03-02T12:00:00Z' })
    const mails = await outbox()
    expect(mails).toMatchObject([{ kind: 'PAYOUT_UNCLAIMED', subject: '$10.00 from Acme waits for you' }])
    const payment = [address && `${service} · ${address}`, 'March 2, 2026', 'ITEM-1'].filter(Boolean).join(' · ')
    expect(mails[0].text).toContain(`$10.00 waits for you at ${service}`)
    expect(mails[0].text).toContain(`\n\n${payment}\n\n`)
    expect(mails[0].text).toContain('after 30 days')
  },
)

it('a failed payment is told with the reason of the service', async () => {
  const { result } = await sentRun()
  await result('FAILED', { reason: 'Receiver account is locked', reference: 'ITEM-2' })
  const [mail] = await outbox()
  expect(mail.kind).toBe('PAYOUT_FAILED')
  expect(mail.text).toMatch(/PayPal · a\*\*\*@wallet\.test · [^·]+ · ITEM-2 · Receiver account is locked\n/)
})

it('the third failed payment to an address asks for another address, once, and runs that leave it out say nothing', async () => {
  const { runs, run, payout, coupon, result } = await sentRun()
  await result('FAILED')
  let last = run
  for (let times = 0; times < 2; times += 1) {
    last = await runs.create({ method: 'PAYPAL' })
    await runs.record(last.id, [
      { payoutId: last.items.nodes[0].payoutId, state: 'FAILED', reason: 'No such receiver' },
    ])
    if (times === 0) expect((await outbox()).map(({ kind }: any) => kind)).toEqual(['PAYOUT_FAILED', 'PAYOUT_FAILED'])
  }
  const third = (await outbox()).at(-1)
  expect(third).toMatchObject({ kind: 'PAYOUT_ADDRESS_DEAD', subject: 'Acme needs another payout address from you' })
  expect(third.text).toContain('Three payments to a***@wallet.test have failed')
  expect(third.text).toContain('No such receiver')
  expect(payout.id).not.toBe(last.items.nodes[0].payoutId)
  for (let cycle = 0; cycle < 2; cycle += 1) {
    await reportSale(program, { coupon })
    await expect(runs.create({ method: 'PAYPAL' })).rejects.toMatchObject({
      errors: [{ message: expect.stringContaining('1 DEAD_ADDRESS') }],
    })
  }
  expect(await outbox()).toHaveLength(3)
})

it.each([
  ['en-US', 'March 2, 2026'],
  ['de-DE', '2. März 2026'],
  ['fr-FR', '2 mars 2026'],
  ['es-ES', '2 de marzo de 2026'],
  ['pt-BR', '2 de março de 2026'],
  ['ja-JP', '2026年3月2日'],
])('a payment in one line: %s', (locale, day) => {
  const at = new Date('2026-03-02T12:00:00Z')
  const iban = { at, method: 'sepa' as const, recipient: 'DE89370400440532013000', reference: 'r\n1', reason: null }
  expect(writtenPayment(iban, { timeZone: 'UTC' }, locale)).toBe(`SEPA · ***3000 · ${day} · r 1`)
  const known = { at: null, method: 'manual' as const, recipient: null, reference: null, reason: 'Locked' }
  expect(writtenPayment(known, { timeZone: 'UTC' }, locale)).toBe('Locked')
})
