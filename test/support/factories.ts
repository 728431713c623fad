import type { TestProgram } from './app.ts'

// Creates the data that tests need. An error response means a mistake in the test, so it throws.

let number = 0
const next = () => {
  number += 1
  return number
}

/** Returns the body of a successful response, and throws for others. */
export async function made(response: Promise<{ status: number; body: any }>) {
  const { status, body } = await response
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export const createAffiliate = (program: TestProgram, fields: object = {}) =>
  made(program.post('/affiliates', { email: `affiliate-${next()}@example.com`, ...fields }))

export const createCoupon = (program: TestProgram, affiliateId: string, token = `CODE-${next()}`) =>
  made(program.post('/affiliate_coupons', { affiliate_id: affiliateId, token }))

/** Creates a campaign, by default with 10 percent. */
export function createCampaign(program: TestProgram, fields: Record<string, unknown> = {}) {
  const reward = 'commission_amount_cents' in fields ? {} : { commission_percent: 10 }
  return made(program.post('/campaigns', { name: 'Partners', url: 'https://acme.test', ...reward, ...fields }))
}

/** Creates an affiliate with a coupon in its own campaign. */
export async function createSeller(program: TestProgram, campaignFields: Record<string, unknown> = {}) {
  const campaign = await createCampaign(program, campaignFields)
  const affiliate = await createAffiliate(program, { campaign_id: campaign.id })
  const coupon = await createCoupon(program, affiliate.id)
  return { campaign, affiliate, coupon: coupon.token as string, link: affiliate.links[0] }
}

export async function recordVisit(program: TestProgram, token: string): Promise<{ id: string }> {
  const { recordVisit: payload } = await program.graphql(
    'mutation ($input: RecordVisitInput!) { recordVisit(input: $input) { referral { id } } }',
    { input: { token } },
  )
  return payload.referral
}

export async function recordLead(program: TestProgram, referralId: string, email: string, more: object = {}) {
  const { recordLead: payload } = await program.graphql(
    'mutation ($input: RecordLeadInput!) { recordLead(input: $input) { referral { id conversionState } } }',
    { input: { referralId, email, ...more } },
  )
  return payload.referral
}

/** Creates a lead of the affiliate whose link has the token. */
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

/** Reports a sale, by default of 100.00. */
export const reportSale = (program: TestProgram, fields: object) =>
  made(program.post('/conversions', { amount_cents: 10_000, ...fields }))

/** Returns the rows of a REST list, such as `/affiliates?email=...`. */
export async function listed(program: TestProgram, path: string): Promise<any[]> {
  return (await made(program.get(path))).data
}

/** A valid id that no record has. */
export const unknownId = '01980f3e-8c00-7000-8000-00000000dead'
