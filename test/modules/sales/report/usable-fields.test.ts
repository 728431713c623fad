import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createLead, createSeller, listed } from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const ada = await createSeller(program)
const bob = await createSeller(program)
const visit = await createLead(program, ada.link.token, 'grace@example.com')

/** One good signal of ada each. */
const good = {
  'a referral id': { referral_id: visit.id },
  'a coupon': { coupon: ada.coupon },
  'an e-mail': { email: 'grace@example.com' },
}
const unusable: [string, object][] = [
  ['a code with an underscore', { coupon: 'WELCOME_10' }],
  ['a code with a blank', { coupon: 'SAVE 10' }],
  ['a code in other letters', { coupon: 'RABATT-10€-für-dich' }],
  ['a code of 300 letters', { coupon: 'X'.repeat(300) }],
  ['a code that nobody has', { coupon: 'NOBODY' }],
  ['a code that is an object', { coupon: { code: 'A' } }],
  ['an e-mail without a domain', { email: 'guest' }],
  ['an e-mail with a display name', { email: 'Grace Hopper <grace@example.com>' }],
  ['an e-mail with NUL', { email: 'a\u0000@example.com' }],
  ['an e-mail that is true', { email: true }],
  ['a referral id that is no id', { referral_id: 'nonsense' }],
  ['a referral id that is a list', { referral_id: [1, 2] }],
  ['a name of 300 letters', { customer_name: 'x'.repeat(300) }],
  ['a name that is an object', { customer_name: { first: 'Grace' } }],
  ['a name that cannot be stored', { customer_name: 'a\ud800' }],
  ['a customer id of 300 letters', { billing_customer_id: 'c'.repeat(300) }],
]
const cases = Object.entries(good).flatMap(([signal, fields]) =>
  unusable
    .filter(([, other]) => !Object.keys(fields).some((name) => name in other))
    .map(([name, other]): [string, object] => [`${signal} beside ${name}`, { ...other, ...fields }]),
)

const explained = async (program: TestProgram, saleId: string) =>
  (
    await program.graphql(
      '{ sales(first: 100) { nodes { id affiliate { id } explanation { summary dropped { field problem } } } } }',
    )
  ).sales.nodes.find(({ id }: { id: string }) => id === saleId)

it.each(cases)('records a sale by %s', async (_name, fields) => {
  const { status, body } = await program.post('/conversions', { amount_cents: 1_000, ...fields })
  expect({ status, affiliate: body.commission?.affiliate_id }).toEqual({ status: 201, affiliate: ada.affiliate.id })
})

it.each([
  ['email', { email: 'guest' }, 'Email is not a valid e-mail address'],
  ['customerName', { customer_name: 'x'.repeat(300) }, 'Customer name is too long (at most 255 characters)'],
  ['coupon', { coupon: 'SAVE #10' }, expect.stringContaining('Coupon has a code that no affiliate can have')],
])('the explanation names %s as left out', async (field, fields, problem) => {
  const { body } = await program.post('/conversions', { amount_cents: 1_000, referral_id: visit.id, ...fields })
  const { explanation } = await explained(program, body.sale_id)
  expect(explanation.dropped).toEqual([{ field, problem }])
  expect(explanation.summary.join(' ')).toContain('Left out of the report: ')
})

describe('several codes', () => {
  it.each([
    ['the first of an affiliate, of codes divided by commas', `NOBODY, ${ada.coupon},${bob.coupon}`],
    ['the first of an affiliate, of a list', ['SAVE 10', ada.coupon, bob.coupon]],
    ['the only one, in a list', [ada.coupon]],
    ['the one beside blanks and what is not text', [null, '', {}, ada.coupon]],
  ])('are tried in order: %s', async (_name, coupon) => {
    const { status, body } = await program.post('/conversions', { amount_cents: 1_000, coupon })
    expect([status, body.commission?.affiliate_id]).toEqual([201, ada.affiliate.id])
  })

  it('an inactive affiliate and an archived code are skipped', async () => {
    const [gone, archived] = [await createSeller(program), await createSeller(program)]
    await program.put(`/affiliates/${gone.affiliate.id}`, { state: 'disabled' })
    const [coupon] = await listed(program, `/affiliate_coupons?affiliate_id=${archived.affiliate.id}`)
    await program.graphql(
      'mutation ($id: ID!) { archiveAffiliateCoupon(input: { id: $id }) { affiliateCoupon { id } } }',
      {
        id: coupon.id,
      },
    )
    const codes = [gone.coupon, archived.coupon, bob.coupon]
    const { body } = await program.post('/conversions', { amount_cents: 1_000, coupon: codes })
    expect(body.commission?.affiliate_id).toBe(bob.affiliate.id)
  })

  it('a form can repeat the field, and GraphQL divides by commas', async () => {
    const form = new URLSearchParams([
      ['amount_cents', '100'],
      ['coupon[]', 'NOBODY'],
      ['coupon[]', bob.coupon],
    ])
    const { body } = await program.send('/conversions', { method: 'POST', body: form })
    expect(body.commission.affiliate_id).toBe(bob.affiliate.id)
    const { reportConversion } = await program.graphql(
      'mutation ($coupon: String) { reportConversion(input: { amountCents: 100, coupon: $coupon }) { sale { affiliate { id } } } }',
      { coupon: `NOBODY,${bob.coupon}` },
    )
    expect(reportConversion.sale.affiliate.id).toBe(bob.affiliate.id)
  })
})

describe('a sale without a good signal is kept with what was sent, and the answer stays 422', () => {
  it.each([
    ['no signal', {}, 'At least one of referral_id, email, coupon must be provided.', {}],
    ['an unusable e-mail', { email: 'guest' }, 'Could not report the sale.', { email: 'guest' }],
    [
      'a code in odd letters and an e-mail with a name',
      { coupon: 'SAVE 10', email: 'Grace <grace@example.com>' },
      'No active affiliate matches this sale.',
      { coupon: 'SAVE 10', email: 'Grace <grace@example.com>' },
    ],
    [
      'several codes, and a long name',
      { coupon: ['A_1', 'B 2'], customer_name: 'x'.repeat(300) },
      'No active affiliate matches this sale.',
      { coupon: 'A_1, B 2', customerName: 'x'.repeat(300) },
    ],
  ])('%s', async (name, fields, error, kept) => {
    const externalId = `kept ${name}`
    const sale = { amount_cents: 700, external_id: externalId, ...fields }
    const { status, body } = await program.post('/conversions', sale)
    expect([status, typeof body.error]).toEqual([422, 'string'])
    if (!error.startsWith('Could')) expect(body.error).toBe(error)
    const { unattributedSales } = await program.graphql(
      `query ($externalId: String) { unattributedSales(where: { externalId: { equals: $externalId } }) {
        nodes { id email coupon customerName amountCents }
      } }`,
      { externalId },
    )
    const nothing = { email: null, coupon: null, customerName: null }
    expect(unattributedSales.nodes).toEqual([{ id: expect.any(String), amountCents: 700, ...nothing, ...kept }])
    // A person can still attribute it, without the values that cannot be used.
    const { attributeSale } = await program.graphql(
      `mutation ($id: ID!, $affiliateId: ID!) { attributeSale(input: { id: $id, affiliateId: $affiliateId }) {
        sale { customer { email } customerName explanation { dropped { field } } }
      } }`,
      { id: unattributedSales.nodes[0].id, affiliateId: bob.affiliate.id },
    )
    expect(attributeSale.sale).toMatchObject({ customer: null, customerName: null })
  })

  it('a dry run keeps nothing', async () => {
    const fresh = await app.createProgram()
    const { status } = await fresh.post('/conversions?dry_run=true', { amount_cents: 1, email: 'guest' })
    expect(status).toBe(422)
    expect((await fresh.graphql('{ unattributedSales { totalCount } }')).unattributedSales.totalCount).toBe(0)
  })
})
