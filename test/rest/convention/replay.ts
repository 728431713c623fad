import { type IncomingMessage, request } from 'node:http'
import { expect } from 'vitest'
import { z } from 'zod'
import type { TestProgram } from '../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createCoupon,
  createLead,
  listed,
  recordVisit,
  reportSale,
} from '../../support/factories.ts'
import type { Sample } from './samples/sample.ts'
import { contract, error, listOf } from './schemas.ts'

/** The values of the names in braces. */
export type Names = Record<string, string>

/** Creates one of everything: an affiliate with a link, a coupon and an open payout, and a due and a void commission. */
export async function createWorld(program: TestProgram): Promise<Names> {
  const campaign = await createCampaign(program, { days_before_commissions_are_due: 0 })
  const other = await createCampaign(program, { name: 'Other' })
  const affiliate = await createAffiliate(program, {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    token: 'ada',
    billing_customer_id: 'cus_ada',
    campaign_id: campaign.id,
  })
  const coupon = await createCoupon(program, affiliate.id, 'ADA20')
  await recordVisit(program, 'ada')
  await createLead(program, 'ada', 'lead@example.com', { billingCustomerId: 'cus_lead' })
  const { commission } = await reportSale(program, { coupon: 'ADA20', email: 'one@example.com' })
  const voided = await reportSale(program, { coupon: 'ADA20', email: 'two@example.com' })
  await program.delete(`/commissions/${voided.commission.id}`)
  const [payout] = await listed(program, '/payouts')
  return {
    campaign: campaign.id,
    other: other.id,
    affiliate: affiliate.id,
    link: affiliate.links[0].id,
    coupon: coupon.id,
    commission: commission.id,
    void: voided.commission.id,
    payout: payout.id,
  }
}

const withNames = <T>(value: T, names: Names): T =>
  JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole))

export type Sent = { method: string; path: string; headers: Record<string, string>; body?: string; chunked?: true }
/** Sends a request exactly as given, and returns the response. */
export type Wire = (sent: Sent) => Promise<{ status: number; text: string }>

/** Opens a connection per request to a local server. */
export const socketTo =
  (port: number): Wire =>
  ({ method, path, headers, body, chunked }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const outgoing = request({
        port,
        host: '127.0.0.1',
        method,
        path,
        agent: false,
        headers: { ...headers, ...(chunked ? { 'Transfer-Encoding': 'chunked' } : length) },
      })
      outgoing.on('response', (answer: IncomingMessage) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })

const authorization = (secret: string, key: Sample['key']): string => {
  switch (key) {
    case 'basic':
      return `Basic ${btoa(`${secret}:`)}`
    case 'basic without a colon':
      return `Basic ${btoa(secret)}`
    case 'bearer in lower case':
      return `bearer ${secret}`
    case undefined:
      return `Bearer ${secret}`
  }
}

const resource = z.discriminatedUnion('object', [
  contract.affiliate,
  contract.campaign,
  contract.link,
  contract.coupon,
  contract.referral,
  contract.commission,
  contract.payout,
  contract.conversion,
])

/** The differences between a response and the contract: each resource has exactly its documented fields. */
function problemsOf(body: object): unknown[] {
  const schema = 'error' in body ? error : 'pagination' in body ? listOf(resource) : resource
  return schema.safeParse(body).error?.issues ?? []
}

/** Sends a sample, and checks the response and the next read. */
export async function replay(
  { send, headers, body, chunked, key, status, answer, next }: Sample,
  names: Names,
  wire: Wire,
  secret: string,
  profile: 'contract' | 'superset',
): Promise<void> {
  const call = async (line: string, more: Partial<Sent> = {}) => {
    const [method, path] = line.split(' ') as [string, string]
    const own = { Authorization: authorization(secret, key), ...more.headers }
    const { status: code, text } = await wire({ method, path: `/v1${path}`, ...more, headers: own })
    const read = { status: code, body: JSON.parse(text) }
    if (profile === 'contract') expect(problemsOf(read.body), text).toEqual([])
    return read
  }
  const sent = withNames({ line: send, more: { headers, body, chunked } }, names)
  const response = await call(sent.line, sent.more)
  expect(response).toMatchObject({ status, ...(answer !== undefined && { body: withNames(answer, names) as object }) })
  if (!next) return
  const [path, expected] = withNames(next, names)
  expect(await call(`GET ${path}`)).toMatchObject({ status: 200, body: expected as object })
}
