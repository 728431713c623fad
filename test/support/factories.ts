import type { TestProgram } from './app.ts'

// What a test needs but is not about. Whatever is refused here is a mistake of the test, so it throws.

let number = 0
const next = () => {
  number += 1
  return number
}

/** The body of an answer that has to be a success. */
export async function made(answer: Promise<{ status: number; body: any }>) {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export const createAffiliate = (program: TestProgram, fields: object = {}) =>
  made(program.post('/affiliates', { email: `affiliate-${next()}@example.com`, ...fields }))

export const createCoupon = (program: TestProgram, affiliateId: string, token = `CODE-${next()}`) =>
  made(program.post('/affiliate_coupons', { affiliate_id: affiliateId, token }))

/** 10 percent, unless the fields say otherwise. */
export function createCampaign(program: TestProgram, fields: Record<string, unknown> = {}) {
  const reward = 'commission_amount_cents' in fields ? {} : { commission_percent: 10 }
  return made(program.post('/campaigns', { name: 'Partners', url: 'https://acme.test', ...reward, ...fields }))
}

/** An affiliate in a campaign of its own, with a coupon: all that a sale needs. */
export async function createSeller(program: TestProgram, campaignFields: Record<string, unknown> = {}) {
  const campaign = await createCampaign(program, campaignFields)
  const affiliate = await createAffiliate(program, { campaign_id: campaign.id })
  const coupon = await createCoupon(program, affiliate.id)
  return { campaign, affiliate, coupon: coupon.token as string, link: affiliate.links[0] }
}

export async function recordVisit(program: TestProgram, token: string): Promise<{ id: string }> {
  const { recordVisit: answer } = await program.graphql(
    'mutation ($input: RecordVisitInput!) { recordVisit(input: $input) { referral { id } } }',
    { input: { token } },
  )
  return answer.referral
}

export async function recordLead(program: TestProgram, referralId: string, email: string, more: object = {}) {
  const { recordLead: answer } = await program.graphql(
    'mutation ($input: RecordLeadInput!) { recordLead(input: $input) { referral { id conversionState } } }',
    { input: { referralId, email, ...more } },
  )
  return answer.referral
}

/** A lead of the affiliate whose link has the token. */
export async function createLead(
  program: TestProgram,
  token: string,
  email = `customer-${next()}@example.com`,
  more: object = {},
) {
  const { id } = await recordVisit(program, token)
  await recordLead(program, id, email, more)
  return { id, email }
}

/** A sale of 100.00 unless the fields say otherwise. */
export const reportSale = (program: TestProgram, fields: object) =>
  made(program.post('/conversions', { amount_cents: 10_000, ...fields }))

/** The only row of a list, or an error: `/affiliates?email=...`. */
export async function listed(program: TestProgram, path: string): Promise<any[]> {
  return (await made(program.get(path))).data
}

/** A form of the shape of our ids that nothing has. */
export const unknownId = '01980f3e-8c00-7000-8000-00000000dead'
