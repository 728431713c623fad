import { beforeEach, expect, it } from 'vitest'
import { adminToken, createTestApp, type GraphQLClient, graphqlClient, type TestProgram } from '../../support/app.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import { clientOf } from '../access/affiliate-tokens/story.ts'

const test = await createTestApp()

let program: TestProgram
let ada: Awaited<ReturnType<typeof earner>>
let own: GraphQLClient

beforeEach(async () => {
  program = await test.createProgram({ isSandbox: true })
  ada = await earner(program, { wallet_a_email: 'ada@a.test', first_name: 'Ada' })
  own = await clientOf(test, program, ada.affiliate.id)
})

const change = (input: object) =>
  own('mutation ($input: UpdateMeInput!) { updateMe(input: $input) { affiliate { paypalEmail payoutsHeldUntil } } }', {
    input,
  })

const changeMails = async () =>
  (await program.graphql('{ mails(where: { kind: { equals: PAYOUT_ADDRESS_CHANGE } }) { nodes { to text } } }')).mails
    .nodes as { to: string; text: string }[]

const open = (method: string, url: string) => test.app.fetch(new Request(url, { method }))
const linkIn = (text: string) => /http:\/\/\S+\/mail\/payout-address\/\S+/.exec(text)?.[0] ?? ''

it('a changed address holds payouts for a day in runs, files and payments by people', async () => {
  const until = '2026-03-11T12:00:00.000Z'
  expect((await change({ paypalEmail: 'ada@new.test' })).updateMe.affiliate).toEqual({
    paypalEmail: 'ada@new.test',
    payoutsHeldUntil: until,
  })
  await expect(runsOf(program).create({ method: 'PAYPAL' })).rejects.toMatchObject({
    errors: [{ message: expect.stringContaining('1 ADDRESS_CHANGED') }],
  })
  for (const format of ['wallet_a', 'generic'])
    expect((await program.get(`/payouts/export?format=${format}`)).body.error).toContain('1 ADDRESS_CHANGED')
  const { payoutPreview } = await program.graphql('{ payoutPreview { nodes { reason } } }')
  expect(payoutPreview.nodes).toEqual([{ reason: 'ADDRESS_CHANGED' }])
  const payAll = () =>
    program.graphql('mutation ($ids: [ID!]!) { payPayouts(input: { ids: $ids }) { payouts { state } } }', {
      ids: [ada.payout.id],
    })
  await expect(payAll()).rejects.toThrow(`waits until ${until}`)
  const headers = { Authorization: `Bearer ${adminToken}`, 'X-Program-Id': program.id }
  await expect(
    graphqlClient(
      test.app.fetch,
      headers,
    )(`mutation { payPayout(input: { id: "${ada.payout.id}" }) { payout { state } } }`),
  ).rejects.toThrow(`waits until ${until}`)

  await test.operator('mutation ($id: ID!) { advanceClock(input: { programId: $id, days: 1 }) { program { id } } }', {
    id: program.id,
  })
  expect(await runsOf(program).create({ method: 'PAYPAL' })).toMatchObject({ payouts: 1, skipped: [] })
  expect((await own('{ me { payoutsHeldUntil } }')).me.payoutsHeldUntil).toBe(null)
})

it("the company's own code pays by REST as before", async () => {
  await change({ paypalEmail: 'ada@new.test' })
  expect((await program.post(`/payouts/${ada.payout.id}/pay`, {})).status).toBe(200)
})

it('nothing is held by other changes, by the same address, or without hours of the program', async () => {
  await change({ firstName: 'Augusta', paypalEmail: 'ada@a.test', company: 'Lovelace Ltd', postalAddress: 'A\nB' })
  expect(await runsOf(program).create({ method: 'PAYPAL' })).toMatchObject({ payouts: 1 })
  await test.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
    input: { id: program.id, payoutHoldHours: 0 },
  })
  expect((await change({ paypalEmail: 'ada@new.test' })).updateMe.affiliate.payoutsHeldUntil).toBe(null)
  expect((await changeMails())[0]?.text).not.toContain('Payouts wait')
})

const rejectedText = 'Your old payout address is used again'
const days = (count: number) =>
  test.operator('mutation ($input: AdvanceClockInput!) { advanceClock(input: $input) { program { id } } }', {
    input: { programId: program.id, days: count },
  })
const wallet = async () => (await own('{ me { paypalEmail } }')).me.paypalEmail
const newestLink = async (to: string) => linkIn((await changeMails()).find((mail) => mail.to === to)?.text ?? '')

it("the link in the affiliate's mail restores the address of before, holds payouts anew, and is mailed", async () => {
  const at = { subject: 'AFFILIATE', id: ada.affiliate.id }
  await change({ paypalEmail: 'eve@evil.test' })
  const first = await newestLink(ada.affiliate.email)
  await days(1)
  await change({ iban: 'DE89370400440532013000' })
  await days(1)
  expect((await changeMails()).map(({ to }) => to)).toEqual([ada.affiliate.email, ada.affiliate.email])
  const link = await newestLink(ada.affiliate.email)
  expect(await (await open('GET', link)).text()).toContain('Reject the new payout address?')
  expect(await (await open('POST', first)).text(), 'a newer change ends older links').toContain('no longer works')
  expect(await wallet()).toBe('eve@evil.test')
  for (const attempt of ['first', 'again'])
    expect(await (await open('POST', link)).text(), attempt).toContain(rejectedText)
  const { me } = await own('{ me { paypalEmail iban payoutsHeldUntil } }')
  expect(me).toEqual({ paypalEmail: 'ada@a.test', iban: null, payoutsHeldUntil: '2026-03-13T12:00:00.000Z' })
  const mails = await changeMails()
  expect(mails).toHaveLength(3)
  expect(mails[0]).toMatchObject({ to: ada.affiliate.email, text: expect.stringContaining('was rejected') })
  const { history } = await program.graphql(
    `query ($id: ID!) { history(subject: AFFILIATE, id: $id, first: 3) { nodes { action actor { kind affiliate { id } } changes { field from to } } } }`,
    { id: at.id },
  )
  expect(history.nodes[0]).toMatchObject({
    action: 'PAYOUT_CHANGE_REJECTED',
    actor: { kind: 'AFFILIATE', affiliate: { id: at.id } },
    changes: expect.arrayContaining([{ field: 'paypalEmail', from: 'eve@evil.test', to: 'ada@a.test' }]),
  })
  const forged = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect((await open('POST', forged)).status).toBe(404)
})

it('an address gets a link only if a payment has arrived there', async () => {
  const run = await runsOf(program).create({ method: 'PAYPAL' })
  await runsOf(program).markSent(run.id)
  await runsOf(program).markPaid(run.id)
  await change({ paypalEmail: 'eve@evil.test' })
  expect((await changeMails()).map(({ to }) => to).sort()).toEqual(['ada@a.test', ada.affiliate.email].sort())
  await change({ paypalEmail: 'ada@a.test' })
  await change({ paypalEmail: 'eve@evil.test' })
  await runsOf(program).record(run.id, [{ payoutId: ada.payout.id, state: 'RETURNED' }])
  await change({ paypalEmail: 'ada@c.test' })
  const to = (await changeMails()).map((mail) => mail.to)
  expect(to).not.toContain('eve@evil.test')
  expect(
    to.filter((each) => each === 'ada@a.test'),
    'no more since it came back',
  ).toHaveLength(2)
  await open('POST', await newestLink('ada@a.test'))
  expect(await wallet(), 'a newer change has ended the link').toBe('ada@c.test')
})

it('an address that is younger than seven days, or was rejected, is never restored', async () => {
  await change({ paypalEmail: 'eve@evil.test' })
  await change({ paypalEmail: 'mallory@evil.test' })
  await open('POST', await newestLink(ada.affiliate.email))
  expect(await wallet()).toBe('ada@a.test')
  await change({ paypalEmail: 'mallory@evil.test' })
  await days(10)
  await change({ paypalEmail: 'ada@b.test' })
  await open('POST', await newestLink(ada.affiliate.email))
  expect(await wallet()).toBe('ada@a.test')
  await change({ paypalEmail: 'ada@d.test' })
  await days(8)
  await change({ paypalEmail: 'eve@evil.test' })
  await open('POST', await newestLink(ada.affiliate.email))
  expect(await wallet(), 'an address that stood for a week is restored').toBe('ada@d.test')
})

it('what the program has changed since then stays', async () => {
  await change({ paypalEmail: 'eve@evil.test' })
  await program.put(`/affiliates/${ada.affiliate.id}`, { wallet_a_email: 'ada@right.test' })
  const [mail] = await changeMails()
  await open('POST', linkIn(mail?.text ?? ''))
  expect((await own('{ me { paypalEmail } }')).me.paypalEmail).toBe('ada@right.test')
})

it('a wrong bank account is rejected at its field, and nothing is changed', async () => {
  const error = await change({ iban: 'DE00370400440532013000', firstName: 'Augusta' }).catch((thrown) => thrown)
  expect(error.errors[0].extensions.problems).toMatchObject([{ field: 'iban', message: 'Iban is not a valid IBAN' }])
  expect((await own('{ me { firstName iban } }')).me).toEqual({ firstName: 'Ada', iban: null })
})

it('the doctor finds a run that was made while payouts waited', async () => {
  const run = await runsOf(program).create({ method: 'PAYPAL' })
  await change({ paypalEmail: 'ada@new.test' })
  const findings = async () =>
    (await test.operator('{ doctor(only: ["waiting-payout-is-in-no-new-run"]) { findings { rowId } } }')).doctor
      .findings
  expect(await findings()).toEqual([])
  const move = (hours: number) =>
    test.database.db.$executeRawUnsafe(
      `update payout_run_items set created_at = created_at + interval '${hours} hours' where run_id = '${run.id}'`,
    )
  await move(1)
  expect(await findings()).toEqual([{ rowId: expect.any(String) }])
  await move(-1)
})

it('an address gets at most five mails an hour, and a change without a mail is refused', async () => {
  for (let number = 1; number <= 5; number += 1) await change({ paypalEmail: `ada@n${number}.test` })
  await expect(change({ paypalEmail: 'ada@n6.test' })).rejects.toThrow('changed 5 times within an hour')
  expect((await own('{ me { paypalEmail } }')).me.paypalEmail).toBe('ada@n5.test')
})
