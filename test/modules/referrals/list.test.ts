import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createLead,
  listed,
  recordLead,
  recordVisit,
  reportSale,
  unknownId,
} from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const campaign = await createCampaign(program)
const ada = await createAffiliate(program)
const grace = await createAffiliate(program, { campaign_id: campaign.id })

const visitor = (await recordVisit(program, ada.links[0].token)).id
const lead = (await createLead(program, grace.links[0].token, 'Lead@Example.com')).id
const conversion = (await recordVisit(program, ada.links[0].token)).id
await recordLead(program, conversion, 'buyer@example.com', { billingCustomerId: 'cus_1' })
await reportSale(program, { referral_id: conversion })

const ids = async (query: string) => (await listed(program, `/referrals?${query}`)).map(({ id }) => id)

describe('GET /referrals', () => {
  it('lists referrals newest first', async () => {
    expect(await ids('')).toEqual([conversion, lead, visitor])
  })

  it.each([
    ['conversion_state=visitor', [visitor]],
    ['conversion_state=lead', [lead]],
    ['conversion_state=conversion', [conversion]],
    ['conversion_state[]=lead', [lead]],
    ['conversion_state[]=lead&conversion_state%5B%5D=conversion', [conversion, lead]],
    ['conversion_state=lead&conversion_state=visitor', [lead, visitor]],
    ['conversion_state=', [conversion, lead, visitor]],
    [`affiliate_id=${ada.id}`, [conversion, visitor]],
    [`affiliate_id=${ada.id}&conversion_state=conversion`, [conversion]],
    [`campaign_id=${campaign.id}`, [lead]],
    ['email=lead@example.com', [lead]],
    ['email=LEAD%40EXAMPLE.COM', [lead]],
    ['email=nobody@example.com', []],
    ['billing_customer_id=cus_1', [conversion]],
    ['stripe_customer_id=cus_1', [conversion]],
    ['billing_customer_id=CUS_1', []],
    [`affiliate_id=${unknownId}`, []],
    ['campaign_id=nonsense', []],
    ['no_such_filter=1', [conversion, lead, visitor]],
  ])('%s', async (query, expected) => expect(await ids(query)).toEqual(expected))
})
