import { expect, it } from 'vitest'
import { mintId } from '../../../src/kernel/ids.ts'
import { publicSchema } from '../../../src/schema/schema.ts'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createLead, createSeller, made, reportSale } from '../../support/factories.ts'
import { createPayPal, ourId, paypalCredentials } from '../../support/payout-services.ts'
import { addMember, createBrowser, setUpOperator } from '../../support/people.ts'

// Every mutation of the schema is either in `steps`, which run it as a person and find its entry, or in `unrecorded` with
// the reason. A new mutation has to be decided about.

const unrecorded: Record<string, string> = {
  saveView: 'A view is how a person looks at a list. Nobody else sees it.',
  deleteSavedView: 'As saveView.',
  saveQuery: 'A query is how people look at data. It has its author and its time.',
  deleteSavedQuery: 'As saveQuery.',
  recordVisit: 'A visit is a fact that a client reports. The event log has it with its actor.',
  recordLead: 'A lead is a fact that a client reports. The event log has it with its actor.',
  reportConversion: 'A sale is a fact that a client reports. What it earned is recorded as a fact of the commission.',
  updateMyMails: 'People choose their own mails. It changes nothing of the program.',
  updateMe: 'Only affiliates run it. Their names have an entry: see test/modules/me.',
  archiveMyLink: 'Only affiliates run it. It is recorded as archiveAffiliateLink is.',
  signTaxProfile: 'Only affiliates run it. It has an entry: see test/modules/tax.',
  acceptSelfBilling: 'Only affiliates run it. It has an entry: see test/modules/invoices.',
  createInvoices: 'It needs a closed month, an agreement and a profile. Its entry is in test/modules/invoices.',
  cancelInvoice: 'It needs an invoice. Its entry is in test/modules/invoices.',
  readInvoicePdf: 'It needs an invoice with a tax id. Its entry is in test/modules/invoices.',
  readTaxId: 'It needs a signed profile. Its entry is in test/modules/tax.',
  exportTaxTotals: 'It needs payments and signed profiles. Its entries are in test/modules/tax.',
  acceptTerms: 'Only affiliates run it. The acceptance is kept with its time: see `Affiliate.acceptedTerms`.',
  grantReports: 'It needs a role of PostgreSQL. Its entry is in test/database/reports.test.ts.',
  revokeReports: 'As grantReports.',
  endMySessions: 'Only affiliates run it. Sessions last an hour, and are not kept.',
  startPayoutOnboarding: 'Only affiliates run it. It changes nothing until the service is ready.',
  refreshPayoutOnboarding: 'Only affiliates run it. A new address has an entry: see test/modules/payout-services.',
  createMyLink: 'Only affiliates run it. The link has an entry: see test/modules/me.',
  sendTestOfMail: 'As sendTestMail.',
  sendTestMail: 'A person mails something to themselves. The outbox has the mail.',
  apply: 'An application is a fact with its own time. Its decision is recorded.',
  checkData: 'It reads the data of the program, and changes none of it.',
  importRecords: 'The import is recorded when it starts and ends, and each row that it writes has its own entry.',
}

const paypal = await createPayPal()
const test = await createTestApp({ payoutServiceUrls: { paypal: paypal.url } })
const olga = await setUpOperator(test)
const program = await test.createProgram({ isSandbox: true })
const client = olga.graphql(program.id)

type Entry = { id: string; action: string; subject: string; name: string | undefined }

async function entries(): Promise<Entry[]> {
  const actor = 'actor { kind person { name } }'
  const page = `pageInfo { endCursor hasNextPage } nodes { id action subject ${actor} }`
  const data = await client(
    `{ programHistory(first: 100) { ${page} } installationHistory(first: 100) { nodes { id action ${actor} } } }`,
  )
  const nodes = [...data.programHistory.nodes]
  for (let { pageInfo } = data.programHistory; pageInfo.hasNextPage; ) {
    const next = (await client(`{ programHistory(first: 100, after: "${pageInfo.endCursor}") { ${page} } }`))
      .programHistory
    nodes.push(...next.nodes)
    pageInfo = next.pageInfo
  }
  return [
    ...nodes,
    ...data.installationHistory.nodes.map((node: object) => ({ ...node, subject: 'INSTALLATION' })),
  ].map(({ id, action, subject, actor }) => ({ id, action, subject, name: actor.person?.name }))
}

const done: string[] = []

/** Runs a mutation, and returns what it added to the history. Each entry has the name of the person. */
async function run(name: string, input: object, selection = '__typename') {
  done.push(name)
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const before = new Set((await entries()).map(({ id }) => id))
  const data = await client(`mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, { input })
  const added = (await entries()).filter(({ id }) => !before.has(id))
  expect(new Set(added.map((entry) => entry.name)), name).toEqual(new Set(['Olga Operator']))
  return { result: data[name], added: added.map(({ subject, action }) => `${subject} ${action}`).sort() }
}

/** A sale that earned a commission, by a client of the program. */
async function newCommission(): Promise<{ id: string; saleId: string }> {
  const affiliate = await createAffiliate(program, {})
  const referral = await createLead(program, affiliate.links[0].token)
  const id = `sale-${done.length}-${Math.random()}`
  await made(reportSale(program, { referral_id: referral.id, external_id: id, amount_cents: 10_000 }))
  const { commissions } = await program.graphql(`{ commissions(first: 1) { nodes { id sale { id } } } }`)
  return { id: commissions.nodes[0].id, saleId: commissions.nodes[0].sale.id }
}

it('programs: settings, key, clock and deletion', async () => {
  const other = await run(
    'createProgram',
    { name: 'Other', url: 'https://other.test', currency: 'usd' },
    'program { id }',
  )
  expect(other.added).toEqual(['INSTALLATION PROGRAM_CREATED'])
  const { id: otherId } = other.result.program
  expect((await run('closeProgram', { id: otherId })).added).toEqual(['INSTALLATION PROGRAM_CLOSED'])
  expect((await run('openProgram', { id: otherId })).added).toEqual(['INSTALLATION PROGRAM_OPENED'])
  expect((await run('deleteProgram', { id: other.result.program.id, confirmSlug: 'other' })).added).toEqual([
    'INSTALLATION PROGRAM_DELETED',
  ])
  const { id } = program
  expect((await run('updateProgram', { id, name: 'New name' })).added).toEqual(['PROGRAM UPDATED'])
  expect((await run('rotatePublishableKey', { programId: id })).added).toEqual(['PROGRAM PUBLISHABLE_KEY_ROTATED'])
  expect((await run('advanceClock', { programId: id, days: 1 })).added).toEqual(['PROGRAM CLOCK_ADVANCED'])
  expect((await run('revokeAffiliateTokens', { programId: id })).added).toEqual(['PROGRAM TOKENS_REVOKED'])
})

it('the tax settings', async () => {
  expect((await run('updateTaxSettings', { payerName: 'Acme Ltd' })).added).toEqual(['PROGRAM UPDATED'])
  const { id: affiliateId } = await createAffiliate(program, {})
  const rate = await run('setAffiliateWithholding', { affiliateId, basisPoints: 1_500 })
  expect(rate.added).toEqual(['AFFILIATE UPDATED'])
})

it('the text and the settings of invoices', async () => {
  expect((await run('publishSelfBilling', { text: 'Acme writes the invoices.' })).added).toEqual(['PROGRAM UPDATED'])
  expect((await run('updateInvoiceSettings', { numberPrefix: 'AFF-' })).added).toEqual(['PROGRAM UPDATED'])
})

it('exchange rates', async () => {
  const rate = { base: 'eur', currency: 'usd', day: '2026-01-02', rate: '1.1' }
  expect((await run('setExchangeRate', rate)).added).toEqual(['PROGRAM UPDATED'])
  expect((await run('importExchangeRates', { csv: 'Date,USD\n2026-01-02,1.2' })).added).toEqual(['PROGRAM UPDATED'])
})

it('closed months, and the key that signs them', async () => {
  expect((await run('rotateStatementKey', { reason: 'Yearly' })).added).toEqual(['PROGRAM STATEMENT_KEY_ROTATED'])
  const month = test.clock.now.toISOString().slice(0, 7)
  // An event that cannot be used has to be looked at before its month is closed.
  const { feed } = (
    await program.graphql('mutation { createFeed(input: { kind: GENERIC, name: "Shop" }) { feed { id } } }')
  ).createFeed
  const event = { programId: program.id, feedId: feed.id, outcome: 'failed' as const, createdAt: test.clock.now }
  await test.database.db.feedEvent.create({ data: { ...event, id: mintId(test.clock.now) } })
  await run('advanceClock', { programId: program.id, days: 31 })
  const accepted = await run('acceptReconciliation', { month, reason: 'A test of the shop' })
  expect(accepted.added).toEqual(['PROGRAM RECONCILIATION_ACCEPTED'])
  expect((await run('closeMonth', { month })).added).toEqual(['STATEMENT_MONTH CLOSED'])
})

it('branches', async () => {
  const since = new Date(test.clock.now.getTime() - 86_400_000).toISOString()
  const input = { name: 'Coupons first', since, attribution: 'COUPON_FIRST' }
  const made = await run('createBranch', input, 'branch { id }')
  expect(made.added).toEqual(['PROGRAM BRANCH_CREATED'])
  const accepted = await run('acceptBranch', { id: made.result.branch.id, reason: 'Agreed' })
  expect(accepted.added).toEqual(['PROGRAM BRANCH_ACCEPTED'])
  const other = await run('createBranch', input, 'branch { id }')
  expect((await run('discardBranch', { id: other.result.branch.id })).added).toEqual(['PROGRAM BRANCH_DISCARDED'])
})

it('API keys, members and links of operators', async () => {
  const key = await run('createApiKey', { programId: program.id, name: 'Shop' }, 'apiKey { id }')
  expect(key.added).toEqual(['API_KEY CREATED'])
  const { id } = key.result.apiKey
  expect((await run('updateApiKey', { id, name: 'Store' })).added).toEqual(['API_KEY UPDATED'])
  expect((await run('revokeApiKey', { id })).added).toEqual(['API_KEY REVOKED'])

  const input = { email: 'ivy@example.com', role: 'ANALYST' }
  const invited = await run('inviteMember', input, 'invitation { id }')
  expect(invited.added).toEqual(['INVITATION CREATED'])
  expect((await run('revokeInvitation', { id: invited.result.invitation.id })).added).toEqual(['INVITATION REVOKED'])

  await addMember(test, olga, program.slug, { email: 'mia@example.com', role: 'MANAGER' })
  const { members } = await client('{ members { person { id } } }')
  const personId = members[0].person.id
  expect((await run('updateMember', { personId, role: 'ANALYST' })).added).toEqual(['MEMBER UPDATED'])
  expect((await run('removeMember', { personId })).added).toEqual(['MEMBER REMOVED'])

  expect((await run('createSetUpLink', {})).added).toEqual(['INSTALLATION SET_UP_LINK_CREATED'])
  expect((await run('createPasswordResetLink', { email: 'mia@example.com' })).added).toEqual([
    'INSTALLATION PASSWORD_RESET_LINK_CREATED',
  ])
  const change = { email: 'mia@example.com', newEmail: 'mia@acme.test' }
  expect((await run('createEmailChangeLink', change)).added).toEqual(['INSTALLATION EMAIL_CHANGE_LINK_CREATED'])
})

it('webhook endpoints', async () => {
  const endpoint = await run('createWebhookEndpoint', { url: 'http://127.0.0.1:9/hook' }, 'webhookEndpoint { id }')
  expect(endpoint.added).toEqual(['WEBHOOK_ENDPOINT CREATED'])
  const { id } = endpoint.result.webhookEndpoint
  const of = async (name: string, input: object, selection?: string) => (await run(name, input, selection)).added
  expect(await of('updateWebhookEndpoint', { id, eventTypes: ['affiliate.created'] })).toEqual([
    'WEBHOOK_ENDPOINT UPDATED',
  ])
  expect(await of('rotateWebhookSecret', { id })).toEqual(['WEBHOOK_ENDPOINT SECRET_ROTATED'])
  const sent = await run('sendTestEvent', { endpointId: id, type: 'affiliate.created' }, 'webhookDelivery { id }')
  expect(sent.added).toEqual(['WEBHOOK_ENDPOINT TEST_SENT'])
  await createAffiliate(program, {})
  expect(await of('replayEvents', { endpointId: id })).toEqual(['WEBHOOK_ENDPOINT REPLAYED'])
  const { webhookDeliveries } = await client('{ webhookDeliveries(first: 1) { nodes { id } } }')
  expect(await of('redeliver', { deliveryId: webhookDeliveries.nodes[0].id })).toEqual(['WEBHOOK_ENDPOINT REDELIVERED'])
  expect(await of('disableWebhookEndpoint', { id })).toEqual(['WEBHOOK_ENDPOINT DISABLED'])
  expect(await of('enableWebhookEndpoint', { id })).toEqual(['WEBHOOK_ENDPOINT ENABLED'])
  const { webhookEndpoint } = await client(
    `{ webhookEndpoint(id: "${id}") { history { totalCount nodes { action changes { field } } } } }`,
  )
  expect(webhookEndpoint.history.totalCount).toBe(8)
  expect(JSON.stringify(webhookEndpoint)).not.toMatch(/whsec/)
  expect(await of('deleteWebhookEndpoint', { id })).toEqual(['WEBHOOK_ENDPOINT DELETED'])
})

it('payout services', async () => {
  const of = async (name: string, input: object) => (await run(name, input)).added
  const service = 'PAYPAL'
  const credentials = paypalCredentials
  await expect(run('connectPayoutService', { service, credentials })).rejects.toThrow(/second factor/)
  await test.database.db.person.updateMany({ data: { hasSecondFactor: true } })
  expect(await of('connectPayoutService', { service, credentials })).toEqual(['PAYOUT_SERVICE CREATED'])
  expect(await of('updatePayoutService', { service, mostPerRunCents: 100_000 })).toEqual(['PAYOUT_SERVICE UPDATED'])
  expect(await of('pausePayoutService', { service })).toEqual(['PAYOUT_SERVICE PAUSED'])
  expect(await of('resumePayoutService', { service })).toEqual(['PAYOUT_SERVICE RESUMED'])
  expect(await of('updatePayoutSchedule', { daysOfMonth: [1], methods: ['PAYPAL'] })).toEqual(['PROGRAM UPDATED'])
  const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
  await program.put(`/affiliates/${seller.affiliate.id}`, { wallet_a_email: 'unclaimed@pp.test' })
  await reportSale(program, { coupon: seller.coupon })
  const made = await run('createPayoutRun', { method: 'PAYPAL' }, 'payoutRun { id items { nodes { id payoutId } } }')
  const { id, items } = made.result.payoutRun
  const [item] = items.nodes
  expect(await of('quotePayoutRun', { id })).toEqual(['PAYOUT_SERVICE USED'])
  expect(await of('sendPayoutRun', { id })).toEqual(
    expect.arrayContaining(['PAYOUT_RUN HANDED_OVER', 'PAYOUT_SERVICE USED', 'PAYOUT_RUN SENT', 'PAYOUT SENT']),
  )
  paypal.change(ourId(item), 'UNCLAIMED')
  expect(await of('refreshPayoutRun', { id })).toEqual(
    expect.arrayContaining(['PAYOUT_SERVICE USED', 'PAYOUT_RUN RESULTS_RECORDED']),
  )
  expect(await of('cancelPayment', { payoutId: item.payoutId, reason: 'x' })).toEqual(
    expect.arrayContaining(['PAYOUT_SERVICE USED', 'PAYOUT CANCELLED']),
  )
  expect(await of('disconnectPayoutService', { service })).toEqual(['PAYOUT_SERVICE DELETED'])
})

it('feeds', async () => {
  const feed = await run('createFeed', { kind: 'GENERIC', name: 'Shop' }, 'feed { id }')
  expect(feed.added).toEqual(['FEED CREATED'])
  const { id } = feed.result.feed
  const of = async (name: string, input: object) => (await run(name, input)).added
  expect(await of('updateFeed', { id, name: 'Store' })).toEqual(['FEED UPDATED'])
  expect(await of('rotateFeedSecret', { id })).toEqual(['FEED SECRET_ROTATED'])
  expect(await of('backfillFeed', { feedId: id, events: '[{ "event_id": "a" }]' })).toEqual(['FEED IMPORTED'])
  expect(await of('pauseFeed', { id })).toEqual(['FEED PAUSED'])
  expect(await of('resumeFeed', { id })).toEqual(['FEED RESUMED'])
  expect(await of('rederiveFeed', { feedId: id })).toEqual(['FEED REDERIVED'])
  expect(await of('deleteFeed', { id })).toEqual(['FEED DELETED'])
})

it('campaigns, affiliates, links and coupons', async () => {
  const of = async (name: string, input: object) => (await run(name, input)).added
  const made = await run(
    'createCampaign',
    { name: 'Partners', url: 'https://acme.test', commissionPercent: 10 },
    'campaign { id }',
  )
  expect(made.added).toEqual(['CAMPAIGN CREATED'])
  const { id } = made.result.campaign
  for (const [name, action] of [
    ['archiveCampaign', 'ARCHIVED'],
    ['unarchiveCampaign', 'UNARCHIVED'],
  ] as const)
    expect(await of(name, { id })).toEqual([`CAMPAIGN ${action}`])
  expect(await of('updateCampaign', { id, name: 'Friends' })).toEqual(['CAMPAIGN UPDATED'])
  expect(await of('deleteCampaign', { id })).toEqual(['CAMPAIGN DELETED'])

  const both = ['AFFILIATE CREATED', 'AFFILIATE LINK_CREATED']
  const created = await run('createAffiliate', { email: 'ada@example.com' }, 'affiliate { id }')
  expect(created.added).toEqual(both)
  expect(await of('createAffiliates', { affiliates: [{ email: 'bea@example.com' }] })).toEqual(both)
  expect(await of('importAffiliates', { csv: 'email\ncleo@example.com\n' })).toEqual(both)
  const affiliateId = created.result.affiliate.id
  expect(await of('createAffiliateField', { name: 'note', label: 'Note' })).toEqual(['PROGRAM UPDATED'])
  expect(await of('updateAffiliateField', { name: 'note', label: 'Remark' })).toEqual(['PROGRAM UPDATED'])
  const ownFields = [{ name: 'note', value: 'Met in May' }]
  expect(await of('setOwnFields', { affiliateIds: [affiliateId], ownFields })).toEqual(['AFFILIATE UPDATED'])
  expect(await of('deleteAffiliateField', { name: 'note' })).toEqual(['PROGRAM UPDATED'])
  expect(await of('updateAffiliate', { id: affiliateId, firstName: 'Ada' })).toEqual(['AFFILIATE UPDATED'])
  expect(await of('createAffiliateToken', { affiliateId })).toEqual(['AFFILIATE TOKEN_CREATED'])
  expect(await of('createSsoLink', { affiliateId })).toEqual(['AFFILIATE SIGN_IN_LINK_CREATED'])

  const link = await run('createAffiliateLink', { affiliateId, token: 'one' }, 'affiliateLink { id }')
  expect(link.added).toEqual(['AFFILIATE LINK_CREATED'])
  const affiliateLinks = [{ affiliateId, token: 'two' }]
  expect(await of('createAffiliateLinks', { affiliateLinks })).toEqual(['AFFILIATE LINK_CREATED'])
  const ofLink = { id: link.result.affiliateLink.id }
  expect(await of('updateAffiliateLink', { ...ofLink, token: 'three' })).toEqual(['AFFILIATE LINK_TOKEN_CHANGED'])
  expect(await of('archiveAffiliateLink', ofLink)).toEqual(['AFFILIATE LINK_ARCHIVED'])
  expect(await of('unarchiveAffiliateLink', ofLink)).toEqual(['AFFILIATE LINK_UNARCHIVED'])
  expect(await of('deleteAffiliateLink', ofLink)).toEqual(['AFFILIATE LINK_DELETED'])

  const coupon = await run('createAffiliateCoupon', { affiliateId, token: 'ADA' }, 'affiliateCoupon { id }')
  expect(coupon.added).toEqual(['AFFILIATE COUPON_CREATED'])
  const ofCoupon = { id: coupon.result.affiliateCoupon.id }
  const discounted = { ...ofCoupon, discount: { percent: 20 } }
  expect(await of('updateAffiliateCoupon', discounted)).toEqual(['AFFILIATE COUPON_DISCOUNT_CHANGED'])
  expect(await of('archiveAffiliateCoupon', ofCoupon)).toEqual(['AFFILIATE COUPON_ARCHIVED'])
  expect(await of('unarchiveAffiliateCoupon', ofCoupon)).toEqual(['AFFILIATE COUPON_UNARCHIVED'])
  expect(await of('deleteAffiliateCoupon', ofCoupon)).toEqual(['AFFILIATE COUPON_DELETED'])
  const affiliateCoupons = [{ affiliateId, token: 'ADA2' }]
  expect(await of('createAffiliateCoupons', { affiliateCoupons })).toEqual(['AFFILIATE COUPON_CREATED'])
  const group = await run(
    'createAffiliateGroup',
    { name: 'Partners', affiliateIds: [affiliateId] },
    'affiliateGroup { id }',
  )
  expect(group.added).toEqual(['AFFILIATE UPDATED', 'AFFILIATE_GROUP CREATED'])
  const ofGroup = { id: group.result.affiliateGroup.id }
  expect(await of('updateAffiliateGroup', { ...ofGroup, name: 'Friends' })).toEqual(['AFFILIATE_GROUP UPDATED'])
  for (const name of ['removeAffiliatesFromGroup', 'addAffiliatesToGroup'])
    expect(await of(name, { ...ofGroup, affiliateIds: [affiliateId] })).toEqual(['AFFILIATE UPDATED'])
  expect(await of('deleteAffiliateGroup', ofGroup)).toEqual(['AFFILIATE_GROUP DELETED'])
  const applicationIds: string[] = []
  for (const email of ['one@example.com', 'two@example.com'])
    applicationIds.push(
      (await client(`mutation { apply(input: { email: "${email}" }) { application { id } } }`)).apply.application.id,
    )
  await test.database.db.application.updateMany({ where: { programId: program.id }, data: { confirmedAt: new Date() } })
  const [approved, rejected] = applicationIds
  expect((await of('approveApplications', { ids: [approved] })).sort()).toEqual([
    'AFFILIATE CREATED',
    'AFFILIATE LINK_CREATED',
    'APPLICATION APPROVED',
  ])
  expect(await of('rejectApplications', { ids: [rejected] })).toEqual(['APPLICATION REJECTED'])
  const [mail] = await test.database.db.mail.findMany({ where: { programId: program.id } })
  await test.database.db.mail.updateMany({ where: { id: mail?.id as string }, data: { state: 'failed' } })
  expect(await of('retryMail', { id: mail?.id })).toEqual(['MAIL REDELIVERED'])
  expect(await of('inviteApplicants', { emails: ['new@example.com'] })).toEqual(['MAIL CREATED'])
  expect(await of('updateJoinSettings', { text: 'Welcome' })).toEqual(['PROGRAM UPDATED'])
  const text = { kind: 'INVITATION', language: 'en', subject: 'Come to {{program}}' }
  expect(await of('updateMailText', text)).toEqual(['PROGRAM UPDATED'])
  expect(await of('resetMailText', { kind: 'INVITATION', language: 'en' })).toEqual(['PROGRAM UPDATED'])
  expect(await of('updateMailKind', { kind: 'INVITATION', isOn: false })).toEqual(['PROGRAM UPDATED'])
  expect(await of('publishTerms', { text: 'Be kind.' })).toEqual(['PROGRAM UPDATED'])
  const asset = await run('createAsset', { kind: 'TEXT', name: 'Line', text: 'Try Acme' }, 'asset { id }')
  expect(asset.added).toEqual(['PROGRAM UPDATED'])
  const { id: assetId } = asset.result.asset
  expect(await of('updateAsset', { id: assetId, name: 'Words' })).toEqual(['PROGRAM UPDATED'])
  expect(await of('archiveAsset', { id: assetId })).toEqual(['PROGRAM UPDATED'])
  expect(await of('unarchiveAsset', { id: assetId })).toEqual(['PROGRAM UPDATED'])
  await of('archiveAsset', { id: assetId })
  expect(await of('deleteAsset', { id: assetId })).toEqual(['PROGRAM UPDATED'])
  expect(await of('erasePerson', { email: 'ada@example.com' })).toEqual(['AFFILIATE ERASED'])
})

it('commissions, payouts and sales', async () => {
  const of = async (name: string, input: object) => (await run(name, input)).added
  const { id } = await newCommission()
  expect(await of('amendCommission', { id, amountCents: 500 })).toContain('COMMISSION AMENDED')
  expect(await of('voidCommission', { id })).toContain('COMMISSION VOIDED')
  expect(await of('voidCommissions', { ids: [(await newCommission()).id] })).toContain('COMMISSION VOIDED')
  expect(await of('refundSale', { saleId: (await newCommission()).saleId, amountCents: 100 })).toContain(
    'COMMISSION REFUNDED',
  )
  const { saleId } = await newCommission()
  const refund = await run('refundSale', { saleId, amountCents: 100 }, 'refund { id }')
  expect(await of('reverseRefund', { refundId: refund.result.refund.id })).toContain('COMMISSION REFUND_REVERSED')
  for (const name of ['approveCommission', 'approveCommissions']) {
    const held = await heldCommission()
    expect(await of(name, name === 'approveCommission' ? { id: held } : { ids: [held] })).toContain(
      'COMMISSION APPROVED',
    )
  }

  await newCommission()
  await newCommission()
  await run('advanceClock', { programId: program.id, days: 60 })
  const due = async () =>
    (await client('{ payouts(where: { state: { not: PAID } }, first: 1) { nodes { id } } }')).payouts
  const [payout] = (await due()).nodes
  expect(await of('payPayout', { id: payout.id })).toEqual(['COMMISSION PAID', 'PAYOUT PAID'])
  const [next] = (await due()).nodes
  expect(await of('payPayouts', { ids: [next.id] })).toEqual(['COMMISSION PAID', 'PAYOUT PAID'])

  for (let n = 0; n < 3; n += 1) await newCommission()
  await run('advanceClock', { programId: program.id, days: 60 })
  const make = 'createPayoutRun(input: { method: MANUAL }) { payoutRun { id items { nodes { payoutId } } } }'
  const mine = await run('createPayoutRun', { method: 'MANUAL' }, 'payoutRun { id }')
  expect(mine.added).toContain('PAYOUT_RUN CREATED')
  expect(await of('cancelPayoutRun', { id: mine.result.payoutRun.id, reason: 'x' })).toEqual(['PAYOUT_RUN CANCELLED'])
  const { id: runId, items } = (await program.graphql(`mutation { ${make} }`)).createPayoutRun.payoutRun
  const [one, two, three] = items.nodes.map(({ payoutId }: { payoutId: string }) => payoutId)
  expect(await of('approvePayoutRun', { id: runId })).toEqual(['PAYOUT_RUN APPROVED'])
  expect(await of('markPayoutRunSent', { id: runId })).toContain('PAYOUT_RUN SENT')
  const results = [{ payoutId: one, state: 'FAILED' }]
  const recorded = await of('recordPayoutResults', { runId, results })
  expect(recorded).toEqual(expect.arrayContaining(['PAYOUT FAILED', 'PAYOUT_RUN RESULTS_RECORDED']))
  const file = `Reference,Status\n${two},COMPLETED`
  const imported = ['COMMISSION PAID', 'PAYOUT PAID', 'PAYOUT_RUN RESULTS_RECORDED']
  expect(await of('importPayoutResults', { runId, file })).toEqual(imported)
  expect(await of('markPayoutRunPaid', { id: runId })).toContain('PAYOUT_RUN PAID')
  expect(await of('undoPayout', { id: three, reason: 'x' })).toEqual(['COMMISSION UNPAID', 'PAYOUT UNDONE'])

  const { campaign } = await createSeller(program)
  const rule = { campaignId: campaign.id, name: 'Deal', appliesTo: 'ALL_SALES', reward: { percent: 5 } }
  const ruled = await run('createCommissionRule', rule, 'commissionRule { id }')
  expect(ruled.added).toEqual(['COMMISSION_RULE CREATED'])
  const { id: ruleId } = ruled.result.commissionRule
  expect(await of('updateCommissionRule', { id: ruleId, name: 'Better' })).toEqual(['COMMISSION_RULE UPDATED'])
  expect(await of('endCommissionRule', { id: ruleId })).toEqual(['COMMISSION_RULE UPDATED'])
  const planId = 'query ($input: PlanRulesInput!) { planRules(input: $input) { planId } }'
  const { planRules } = await client(planId, { input: { rules: [rule] } })
  expect(await of('applyRules', { rules: [rule], planId: planRules.planId })).toEqual(['PROGRAM RULES_APPLIED'])
  expect(await of('revertRules', {})).toEqual(['PROGRAM RULES_REVERTED'])

  const unattributed = await newUnattributedSale()
  expect(await of('dismissUnattributedSale', { id: unattributed })).toEqual(['UNATTRIBUTED_SALE DISMISSED'])
  expect(await of('restoreUnattributedSale', { id: unattributed })).toEqual(['UNATTRIBUTED_SALE RESTORED'])
  const affiliate = await createAffiliate(program, {})
  expect(await of('attributeSale', { id: unattributed, affiliateId: affiliate.id })).toEqual([
    'COMMISSION EARNED',
    'UNATTRIBUTED_SALE ATTRIBUTED',
  ])
  const byHand = (await client('{ sales(first: 1) { nodes { id referral { id } } } }')).sales.nodes[0]
  expect(await of('undoAttribution', { saleId: byHand.id, reason: 'x' })).toEqual(
    expect.arrayContaining(['SALE UNDONE', 'COMMISSION VOIDED']),
  )
  const lead = await createLead(program, affiliate.links[0].token)
  const elsewhere = await createAffiliate(program, {})
  expect(await of('moveReferral', { id: lead.id, affiliateId: elsewhere.id })).toEqual([
    'REFERRAL MOVED',
    'REFERRAL MOVED',
  ])
  const { referrals } = await client('{ referrals(first: 1) { nodes { id } } }')
  expect(await of('endReferral', { id: referrals.nodes[0].id })).toEqual(['REFERRAL ENDED'])
  const message = { subject: 'x', text: 'x', where: { id: { equals: affiliate.id } } }
  expect(await of('sendMailToAffiliates', message)).toEqual(['AFFILIATE MAILED'])
  const sold = await run('recordSale', { affiliateId: affiliate.id, amountCents: 1_000 }, 'sale { id }')
  expect(sold.added).toEqual(['COMMISSION EARNED'])
  const changed = await of('changeSale', { id: sold.result.sale.id, amountCents: 2_000 })
  expect(changed.toSorted()).toEqual(['COMMISSION RECALCULATED', 'SALE UPDATED'])
  const { commissions } = await client(
    'query ($id: ID!) { commissions(where: { saleId: { equals: $id } }) { nodes { id } } }',
    {
      id: sold.result.sale.id,
    },
  )
  const proposed = { kind: 'VOID', arguments: { ids: [commissions.nodes[0].id] }, reason: 'x' }
  const propose = () => run('propose', proposed, 'proposal { id }')
  const first = await propose()
  expect(first.added).toEqual(['PROPOSAL CREATED'])
  const ofFirst = { id: first.result.proposal.id }
  expect(await of('updateProposal', { ...ofFirst, reason: 'y' })).toEqual(['PROPOSAL UPDATED'])
  expect(await of('rejectProposal', ofFirst)).toEqual(['PROPOSAL REJECTED'])
  expect(await of('confirmProposal', { id: (await propose()).result.proposal.id })).toEqual(
    expect.arrayContaining(['COMMISSION VOIDED', 'PROPOSAL CONFIRMED']),
  )
  // A bonus is due at once, so it opens a payout.
  const bonus = { affiliateId: affiliate.id, kind: 'BONUS', amountCents: 1_000, reason: 'Spring' }
  expect(await of('createCommission', bonus)).toContain('COMMISSION EARNED')
})

it('imports', async () => {
  const input = { source: 'https://old.test', programId: program.id }
  expect((await run('startImport', input)).added).toEqual(['IMPORT STARTED'])
  for (const kind of [
    'CAMPAIGN',
    'AFFILIATE',
    'AFFILIATE_LINK',
    'AFFILIATE_COUPON',
    'REFERRAL',
    'COMMISSION',
    'PAYOUT',
  ])
    await client(`mutation ($input: ImportRecordsInput!) { importRecords(input: $input) { __typename } }`, {
      input: { ...input, kind, records: '[]', isLast: true },
    })
  expect((await run('finishImport', input)).added).toContain('IMPORT FINISHED')
})

it('the end of a shadow', async () => {
  expect((await run('updateProgram', { id: program.id, isShadow: true })).added).toEqual(['PROGRAM UPDATED'])
  const { shadowReport } = await client('{ shadowReport { differences { key } } }')
  const keys = [shadowReport.differences[0].key]
  expect((await run('acceptShadowDifferences', { keys, as: 'OURS' })).added).toEqual(['PROGRAM DIFFERENCE_ACCEPTED'])
  expect((await run('reopenShadowDifferences', { keys })).added).toEqual(['PROGRAM DIFFERENCE_REOPENED'])
  expect((await run('endShadow', {})).added).toEqual(['PROGRAM UPDATED'])
})

it('covers every mutation of the schema', () => {
  const all = Object.keys(publicSchema.getMutationType()?.getFields() ?? {})
  expect([...new Set([...done, ...Object.keys(unrecorded)])].sort()).toEqual(all.sort())
})

/** A commission that is held: the sale is to the affiliate's own e-mail. */
async function heldCommission(): Promise<string> {
  const { createCampaign } = await client(
    `mutation { createCampaign(input: { name: "Holds", url: "https://acme.test", commissionPercent: 10, selfReferrals: HOLD }) { campaign { id } } }`,
  )
  const affiliate = await createAffiliate(program, { campaign_id: createCampaign.campaign.id })
  const referral = await createLead(program, affiliate.links[0].token, affiliate.email)
  await made(
    reportSale(program, { referral_id: referral.id, external_id: `held-${affiliate.id}`, amount_cents: 10_000 }),
  )
  const { commissions } = await client(
    '{ commissions(where: { heldReason: { not: null } }, first: 1) { nodes { id } } }',
  )
  return commissions.nodes[0].id
}

async function newUnattributedSale(): Promise<string> {
  await program.post('/conversions', { email: 'nobody@example.com', external_id: 'nobody', amount_cents: 1_000 })
  const { unattributedSales } = await client('{ unattributedSales(first: 1) { nodes { id } } }')
  return unattributedSales.nodes[0].id
}

it('what people do in their own account is in the history of the installation', async () => {
  const browser = createBrowser(test)
  const { createSetUpLink } = await client('mutation { createSetUpLink(input: {}) { url } }')
  test.clock.advanceMinutes(1)
  const account = { name: 'Otto', email: 'otto@example.com', password: 'five words in a row' }
  await browser.post('/setup', { token: createSetUpLink.url.split('#token=')[1], ...account })
  const changed = { currentPassword: account.password, newPassword: 'another five words here' }
  test.clock.advanceMinutes(1)
  const answer = await browser.post('/auth/change-password', changed)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const { installationHistory } = await client(
    '{ installationHistory(first: 3) { nodes { action subjectName actor { person { name } } } } }',
  )
  const byOtto = { subjectName: 'otto@example.com', actor: { person: { name: 'Otto' } } }
  expect(installationHistory.nodes).toHaveLength(3)
  for (const action of ['PASSWORD_CHANGED', 'SIGNED_IN', 'OPERATOR_CREATED'])
    expect(installationHistory.nodes).toContainEqual({ action, ...byOtto })
})

it('entries about people and keys are for owners and operators', async () => {
  const analyst = await addMember(test, olga, program.slug, { email: 'ann@example.com', role: 'ANALYST' })
  const subjects = async (ask: (query: string) => Promise<any>) => {
    const seen = new Set<string>()
    for (let after = ''; ; ) {
      const asked = `{ programHistory(first: 100${after}) { pageInfo { endCursor hasNextPage } nodes { subject } } }`
      const { nodes, pageInfo } = (await ask(asked)).programHistory
      for (const { subject } of nodes) seen.add(subject)
      if (!pageInfo.hasNextPage) return seen
      after = `, after: "${pageInfo.endCursor}"`
    }
  }
  const hidden = ['MEMBER', 'INVITATION', 'API_KEY']
  expect([...(await subjects(client))]).toEqual(expect.arrayContaining(hidden.slice(0, 2)))
  for (const ask of [analyst.graphql(program.slug), program.graphql]) {
    const seen = await subjects(ask)
    expect(hidden.filter((subject) => seen.has(subject))).toEqual([])
    expect(seen.size).toBeGreaterThan(0)
    for (const subject of hidden)
      await expect(ask(`{ history(subject: ${subject}, id: "${program.id}") { totalCount } }`)).rejects.toThrow(
        'owners',
      )
  }
})

it('is filtered by subject and by person, and paged', async () => {
  const { viewer } = await client('{ viewer { person { id } } }')
  const page = async (args: string) => {
    const { programHistory } = await client(
      `{ programHistory(${args}) { totalCount pageInfo { endCursor hasNextPage } nodes { id subject actor { kind } } } }`,
    )
    return programHistory
  }
  const first = await page(`first: 3, personId: "${viewer.person.id}"`)
  const next = await page(`first: 3, personId: "${viewer.person.id}", after: "${first.pageInfo.endCursor}"`)
  const ids = [...first.nodes, ...next.nodes].map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].sort().reverse())
  expect(ids).toHaveLength(6)
  const clients = await page('first: 100, actorKind: API_KEY')
  expect(new Set(clients.nodes.map((node: any) => node.actor.kind))).toEqual(new Set(['API_KEY']))
  expect(first.totalCount + clients.totalCount).toBeLessThanOrEqual((await page('first: 0')).totalCount)
  const webhooks = await page('first: 100, subject: WEBHOOK_ENDPOINT')
  expect(new Set(webhooks.nodes.map((node: any) => node.subject))).toEqual(new Set(['WEBHOOK_ENDPOINT']))
})

it('is filtered by API key and by time, and names the actor', async () => {
  const { viewer } = await client('{ viewer { person { id name } } }')
  const page = async (args: string) =>
    (await client(`{ programHistory(first: 100, ${args}) { totalCount nodes { id at actor { apiKey { id } } } } }`))
      .programHistory
  const byKey = await page(`apiKeyId: "${program.keyId}"`)
  expect(byKey.totalCount).toBeGreaterThan(0)
  expect(new Set(byKey.nodes.map((node: any) => node.actor.apiKey.id))).toEqual(new Set([program.keyId]))
  for (const nobody of [
    `apiKeyId: "${viewer.person.id}"`,
    'apiKeyId: "none"',
    `personId: "${viewer.person.id}", apiKeyId: "${program.keyId}"`,
  ])
    expect((await page(nobody)).totalCount, nobody).toBe(0)

  const all = await page('last: null')
  const middle = all.nodes[Math.floor(all.nodes.length / 2)].at
  const [since, earlier] = [await page(`from: "${middle}"`), await page(`to: "${middle}"`)]
  expect(since.totalCount + earlier.totalCount).toBe(all.totalCount)
  expect(since.nodes.every(({ at }: any) => at >= middle)).toBe(true)
  expect(earlier.totalCount).toBeGreaterThan(0)
  expect(earlier.nodes.every(({ at }: any) => at < middle)).toBe(true)
  expect((await page(`from: "${middle}", to: "${middle}"`)).totalCount).toBe(0)
  expect((await page('from: "0001-01-01T00:00:00Z", to: "9999-12-31T00:00:00Z"')).totalCount).toBe(all.totalCount)

  const { historyActors } = await client('{ historyActors { person { name } apiKey { id } } }')
  expect(historyActors).toContainEqual({ person: { name: viewer.person.name }, apiKey: null })
  expect(historyActors).toContainEqual({ person: null, apiKey: { id: program.keyId } })
})
