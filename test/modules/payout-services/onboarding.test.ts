import { describe, expect, test } from 'vitest'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { reportSale } from '../../support/factories.ts'
import { earner } from '../../support/payout-runs.ts'
import { createStripe, notify, servicesOf, stripeCredentials } from '../../support/payout-services.ts'

const stripe = await createStripe()
const app = await createTestApp({ payoutServiceUrls: { stripe: stripe.url } })

const start = (input: object) => ({
  query: 'mutation ($input: StartPayoutOnboardingInput!) { startPayoutOnboarding(input: $input) { url } }',
  input,
})
const fields = `stripeAccount preferredPayoutMethod payoutsHeldUntil payoutRecipients { service isReady missing } program { payoutMethods }`

/** An affiliate of the program with an open payout, and what they ask with. */
async function affiliateOf(program: TestProgram) {
  const { affiliate, coupon } = await earner(program, {})
  const made = await program.graphql(
    'mutation ($input: CreateAffiliateTokenInput!) { createAffiliateToken(input: $input) { token } }',
    { input: { affiliateId: affiliate.id } },
  )
  const ask = graphqlClient(app.app.fetch, { Authorization: `Bearer ${made.createAffiliateToken.token}` })
  return {
    affiliate,
    coupon,
    me: async () => (await ask(`{ me { ${fields} } }`)).me,
    /** As the program sees it: a token ends after a day. */
    seen: async () =>
      (await program.graphql(`{ affiliate(id: "${affiliate.id}") { stripeAccount payoutsHeldUntil } }`)).affiliate,
    start: async (input: object) => {
      const { query } = start(input)
      return (await ask(query, { input: { service: 'STRIPE', ...input } })).startPayoutOnboarding.url as string
    },
    refresh: async () =>
      (
        await ask(
          'mutation { refreshPayoutOnboarding(input: { service: STRIPE }) { payoutRecipient { isReady missing } } }',
        )
      ).refreshPayoutOnboarding.payoutRecipient,
  }
}

const leave = (url: string, outcome: string) =>
  fetch(url, {
    method: 'POST',
    body: `account=DE89370400440532013000&outcome=${outcome}`,
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe("giving the bank account on Stripe's page", () => {
  test('sets the address, holds payouts and is announced, and the bank account never comes here', async () => {
    const program = await app.createProgram()
    const services = servicesOf(program)
    const ada = await affiliateOf(program)
    expect((await ada.me()).program.payoutMethods).not.toContain('STRIPE')
    await expect(ada.start({ country: 'us' })).rejects.toThrow(/Stripe is not connected/)
    await services.connect('STRIPE', stripeCredentials)
    expect(await ada.me()).toMatchObject({ stripeAccount: null, payoutRecipients: [] })
    expect((await ada.me()).program.payoutMethods).toContain('STRIPE')
    await expect(ada.refresh()).rejects.toThrow(/Stripe does not know you yet/)
    await expect(ada.start({})).rejects.toThrow("Country can't be blank the first time")
    await expect(ada.start({ country: 'Germany' })).rejects.toThrow(/Country/)

    const page = await ada.start({ country: 'us' })
    const gone = await leave(page, 'later')
    expect(gone.headers.get('location')).toContain(`/portal?program=${program.slug}#payout-address`)
    expect(await ada.refresh()).toEqual({ isReady: false, missing: 'bank account, address' })
    expect(await ada.me()).toMatchObject({
      stripeAccount: null,
      payoutsHeldUntil: null,
      payoutRecipients: [{ service: 'STRIPE', isReady: false, missing: 'bank account, address' }],
    })

    // The same affiliate again is the same recipient.
    const again = await ada.start({})
    expect(again).not.toBe(page)
    expect(
      [...stripe.accounts.values()].filter(({ contact_email }) => contact_email === ada.affiliate.email),
    ).toHaveLength(1)
    await leave(again, 'ready')
    expect(await ada.refresh()).toEqual({ isReady: true, missing: null })
    const me = await ada.me()
    const [account] = [...stripe.accounts.values()].filter(({ contact_email }) => contact_email === ada.affiliate.email)
    const address = `${account?.id}/${account?.payoutMethods[0]}`
    expect(me.stripeAccount).toBe(address)
    expect(me.payoutsHeldUntil).not.toBeNull()
    const { mails } = await program.graphql(
      '{ mails(first: 9, where: { kind: { equals: PAYOUT_ADDRESS_CHANGE } }) { nodes { to text } } }',
    )
    expect(mails.nodes).toMatchObject([
      { to: ada.affiliate.email, text: expect.stringContaining('the Stripe account') },
    ])
    await expect(services.prepare({ method: 'STRIPE' })).rejects.toThrow(/1 ADDRESS_CHANGED/)
    app.clock.advanceDays(2)
    const run = await services.prepare({ method: 'STRIPE' })
    expect(run.items.nodes).toMatchObject([{ recipient: address, amountCents: 1_000 }])

    const rows = await app.database.db.$queryRaw<{ text: string }[]>`
      select coalesce(jsonb_agg(to_jsonb(p))::text, '') as text from payout_recipients p where program_id = ${program.id}::uuid`
    expect(rows[0]?.text).not.toContain('DE89370400440532013000')
  })

  test('another bank account is another address: announced, held, and paid apart', async () => {
    const program = await app.createProgram()
    const services = servicesOf(program)
    const service = await services.connect('STRIPE', stripeCredentials)
    const ada = await affiliateOf(program)
    await leave(await ada.start({ country: 'us' }), 'ready')
    await ada.refresh()
    const { stripeAccount: first } = await ada.me()
    app.clock.advanceDays(2)
    const known = await services.prepare({ method: 'STRIPE' })
    expect(known.items.nodes).toMatchObject([{ recipient: first }])
    await services.send(known.id)
    stripe.settle(app.clock.now)
    await services.refresh(known.id)

    // Somebody changes it at Stripe. Until Stripe says so, payments go to the one that is known.
    await reportSale(program, { coupon: ada.coupon })
    const second = stripe.give(first.split('/')[0])
    const before = await services.prepare({ method: 'STRIPE' })
    await services.send(before.id)
    stripe.settle(app.clock.now)
    expect(await services.refresh(before.id)).toMatchObject({ state: 'PAID' })
    expect([first, second].map((address) => stripe.moved().get(address) ?? 0)).toEqual([2_000, 0])

    const news = stripe.accountNotice(first.split('/')[0], app.clock.now)
    for (const notice of [news, news]) expect((await notify(app, service.id, notice)).status).toBe(200)
    const { stripeAccount, payoutsHeldUntil } = await ada.seen()
    expect(stripeAccount).toBe(second)
    expect(Date.parse(payoutsHeldUntil)).toBeGreaterThan(app.clock.now.getTime())
    const { mails } = await program.graphql(
      '{ mails(first: 9, where: { kind: { equals: PAYOUT_ADDRESS_CHANGE } }) { totalCount } }',
    )
    expect(mails.totalCount).toBe(2)
    await reportSale(program, { coupon: ada.coupon })
    await expect(services.prepare({ method: 'STRIPE' })).rejects.toThrow(/1 ADDRESS_CHANGED/)
    app.clock.advanceDays(2)
    const after = await services.prepare({ method: 'STRIPE' })
    const { payoutRun } = await program.graphql(
      `{ payoutRun(id: "${after.id}") { items { nodes { recipient isNewRecipient } } } }`,
    )
    expect(payoutRun.items.nodes).toEqual([{ recipient: second, isNewRecipient: true }])
    await services.send(after.id)
    stripe.settle(app.clock.now)
    await services.refresh(after.id)
    expect(stripe.moved().get(second)).toBe(1_000)
  })

  test('begins anew if the program pays from another account of Stripe, which does not know the payee', async () => {
    const program = await app.createProgram()
    await servicesOf(program).connect('STRIPE', stripeCredentials)
    const ada = await affiliateOf(program)
    await leave(await ada.start({ country: 'us' }), 'ready')
    await ada.refresh()
    const { stripeAccount: first } = await ada.me()
    // As if it was the account of a sandbox.
    stripe.accounts.delete(first.split('/')[0])
    expect(await ada.refresh()).toEqual({ isReady: false, missing: 'an account that exists' })
    await expect(ada.start({})).rejects.toThrow("Country can't be blank the first time")
    expect((await ada.me()).payoutRecipients).toEqual([])
    await leave(await ada.start({ country: 'gb' }), 'ready')
    expect(await ada.refresh()).toEqual({ isReady: true, missing: null })
    const { stripeAccount } = await ada.me()
    expect(stripe.accounts.has(stripeAccount.split('/')[0])).toBe(true)
  })

  test('is in the history of the service, as each use of its credentials', async () => {
    const program = await app.createProgram()
    const service = await servicesOf(program).connect('STRIPE', stripeCredentials)
    const ada = await affiliateOf(program)
    await leave(await ada.start({ country: 'us' }), 'ready')
    await ada.refresh()
    const { history } = await program.graphql(
      'query ($id: ID!) { history(subject: PAYOUT_SERVICE, id: $id) { nodes { action } } }',
      { id: service.id },
    )
    expect(history.nodes.map(({ action }: any) => action).sort()).toEqual(['CREATED', 'USED', 'USED'])
  })

  test('a payment to a bank account that was removed at Stripe fails, and pays no other one', async () => {
    const program = await app.createProgram()
    const services = servicesOf(program)
    await services.connect('STRIPE', stripeCredentials)
    const ada = await affiliateOf(program)
    await leave(await ada.start({ country: 'us' }), 'ready')
    await ada.refresh()
    app.clock.advanceDays(2)
    const account = stripe.accounts.get((await ada.seen()).stripeAccount.split('/')[0])
    account?.payoutMethods.splice(0, 1, 'usba_other')
    const run = await services.prepare({ method: 'STRIPE' })
    const sent = await services.send(run.id)
    expect(sent.items.nodes).toMatchObject([
      { state: 'FAILED', reason: expect.stringContaining('does not have this payout method any more') },
    ])
  })

  test('an address that cannot be one of Stripe is refused', async () => {
    const program = await app.createProgram()
    const { affiliate } = await affiliateOf(program)
    const change = (stripeAccount: string) =>
      program.graphql(
        'mutation ($input: UpdateAffiliateInput!) { updateAffiliate(input: $input) { affiliate { stripeAccount } } }',
        { input: { id: affiliate.id, stripeAccount } },
      )
    await expect(change('ada@stripe.test')).rejects.toThrow(
      'Stripe account must be an id such as acct_1Nv0FGQ9RKHgCVdK.',
    )
    expect((await change('acct_1AbC')).updateAffiliate.affiliate).toEqual({ stripeAccount: 'acct_1AbC' })
  })

  test('who has not done it is left out of runs, with the reason', async () => {
    const program = await app.createProgram()
    const services = servicesOf(program)
    await services.connect('STRIPE', stripeCredentials)
    await affiliateOf(program)
    await expect(services.prepare({ method: 'STRIPE' })).rejects.toThrow(/1 NOT_ONBOARDED/)
  })
})
