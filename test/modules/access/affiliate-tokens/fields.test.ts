import { readFileSync } from 'node:fs'
import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getIntrospectionQuery,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isUnionType,
  parse,
  printSchema,
  validate,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { affiliateSchema } from '../../../../src/schema/affiliate.ts'
import { printAffiliateSchema } from '../../../../src/schema/print.ts'
import { publicSchema } from '../../../../src/schema/schema.ts'
import { createTestApp, graphqlClient, type TestProgram } from '../../../support/app.ts'
import { itEvery } from '../../../support/cells.ts'
import { createLead, createSeller, reportSale } from '../../../support/factories.ts'
import { callOf } from '../../../support/operations.ts'

// Every field of the schema is either in this list, by a deliberate decision, or rejected for affiliates.

/** The affiliate's own rows and their totals. Not `groupBy`, since groups reveal more than the rows. */
const listed = (noun: string, numbers: string[] = [], isMoney = false): Record<string, string[]> => ({
  [`${noun}Connection`]: ['aggregate', 'edges', 'nodes', 'pageInfo', 'totalCount'],
  [`${noun}Edge`]: ['cursor', 'node'],
  [`${noun}Aggregate`]: [
    'count',
    'firstCreatedAt',
    'lastCreatedAt',
    ...(numbers.length > 0 ? ['avg', 'max', 'min', 'sum'] : []),
    ...(isMoney ? ['currency'] : []),
  ],
  ...(numbers.length > 0 &&
    Object.fromEntries(['Average', 'Maximum', 'Minimum', 'Sum'].map((of) => [noun + of, numbers]))),
})

const allowed: Record<string, string[]> = {
  ...listed('AffiliateCoupon', []),
  ...listed('AffiliateLink', ['visitors', 'leads', 'conversions']),
  ...listed('Referral'),
  ...listed('Sale', ['amount', 'refunded'], true),
  ...listed('Refund'),
  ...listed('Commission', ['amount'], true),
  ...listed('Payout', ['amount'], true),
  ...listed('Statement'),
  ...listed('Invoice'),
  AcceptSelfBillingPayload: ['affiliate'],
  InvoiceLine: ['amount', 'amountCents', 'count', 'kind', 'text'],
  InvoiceParty: ['city', 'country', 'name', 'postalCode', 'region', 'street', 'vatId'],
  Invoice: [
    ...['affiliate', 'affiliateId', 'agreementVersion', 'buyer', 'corrects', 'correctsId', 'createdAt', 'currency'],
    ...['gross', 'grossCents', 'hasSupplierTaxId', 'id', 'isCancellation', 'isCancelled', 'issuedOn', 'kind', 'lines'],
    ...['month', 'net', 'netCents', 'notes', 'number', 'pdf', 'reason', 'statement', 'statementId', 'supplier'],
    ...['vat', 'vatBasisPoints', 'vatCents', 'vatCommission', 'vatCommissionId', 'vatTreatment', 'year'],
  ],
  SelfBilling: ['agreedAt', 'agreedVersion', 'isAgreed', 'signedName', 'text', 'version'],
  StatementLine: ['amountCents', 'bookedAt', 'kind', 'month', 'number', 'text'],
  Statement: [
    'affiliate',
    'affiliateId',
    'closing',
    'closingCents',
    'createdAt',
    'currency',
    'hash',
    'id',
    'json',
    'lines',
    'month',
    'number',
    'opening',
    'openingCents',
    'pdf',
    'previousHash',
  ],
  PageInfo: ['endCursor', 'hasNextPage', 'hasPreviousPage', 'startCursor'],
  Money: ['amountCents', 'cents', 'currency', 'formatted'],
  Customer: ['email', 'id', 'name'],
  Query: ['me'],
  Subscription: ['myCommissionChanged'],
  Program: [
    'currency',
    'id',
    'isSandbox',
    'leaderboard',
    'leaderboardShows',
    'locale',
    'name',
    'payoutHoldHours',
    'payoutMethods',
    'taxSettings',
    'url',
  ],
  TaxSettings: ['payerCountry', 'payerName', 'needsProfileForPayouts'],
  TaxFormLine: ['label', 'line', 'value'],
  TaxProfile: [
    'certification',
    'city',
    'country',
    'expiresAt',
    'form',
    'formFields',
    'formLines',
    'formRevision',
    'isSmallBusiness',
    'legalName',
    'maskedTaxId',
    'maskedUsTaxId',
    'number',
    'postalCode',
    'recipientType',
    'region',
    'signedAt',
    'signedName',
    'street',
    'vatId',
  ],
  Leaderboard: ['entries', 'from', 'to'],
  LeaderboardEntry: ['earned', 'isMe', 'name', 'rank'],
  Affiliate: [
    'analytics',
    'invoice',
    'invoices',
    'selfBilling',
    'assets',
    'balances',
    'ownFields',
    'reward',
    'rewardNews',
    'sessions',
    'bic',
    'company',
    'displayName',
    'iban',
    'invitationUrl',
    'isViewOnly',
    'language',
    'mailChoices',
    'payoutRecipients',
    'payoutsHeldUntil',
    'stripeAccount',
    'postalAddress',
    'preferredPayoutMethod',
    'taxProfile',
    'termsToAccept',
    'recipientType',
    'campaign',
    'commissions',
    'confirmedAt',
    'conversions',
    'coupon',
    'coupons',
    'createdAt',
    'email',
    'firstName',
    'id',
    'lastName',
    'leads',
    'links',
    'nextDueAt',
    'payouts',
    'program',
    'receiveNewCommissionNotifications',
    'referrals',
    'sales',
    'showsInLeaderboard',
    'state',
    'statement',
    'statements',
    'updatedAt',
    'visitors',
    'paypalEmail',
    'wiseEmail',
  ],
  AffiliateAnalytics: ['currency', 'from', 'subs', 'timeSeries', 'timeZone', 'to', 'totals'],
  AnalyticsTotals: [
    'averageSale',
    'commissionAccrued',
    'commissionDue',
    'commissionPaid',
    'commissionVoid',
    'conversionRate',
    'conversions',
    'earningsPerClick',
    'leadRate',
    'leads',
    'refundAmount',
    'refundRate',
    'refunds',
    'sales',
    'salesAmount',
    'visitors',
  ],
  TimeSeries: ['interval', 'metric', 'points'],
  TimeSeriesPoint: ['comparison', 'comparisonMoney', 'label', 'money', 'start', 'value'],
  AffiliateCoupon: ['affiliateId', 'archivedAt', 'createdAt', 'discount', 'id', 'referrals', 'token', 'updatedAt'],
  CouponDiscount: ['amount', 'amountCents', 'currency', 'percent'],
  AffiliateLink: [
    'affiliateId',
    'archivedAt',
    'conversions',
    'createdAt',
    'id',
    'leads',
    'referrals',
    'token',
    'updatedAt',
    'url',
    'visitors',
  ],
  Campaign: [
    'commissionAmount',
    'commissionAmountCents',
    'commissionCurrency',
    'commissionPercent',
    'daysBeforeCommissionsAreDue',
    'daysBeforeReferralsExpire',
    'id',
    'maxCommissionPeriodInMonths',
    'maxCommissions',
    'minimumPayoutCents',
    'minimumPayouts',
    'name',
    'rewardType',
    'url',
  ],
  MinimumPayout: ['amount', 'amountCents', 'currency'],
  Reward: ['lines', 'text'],
  RewardLine: ['text'],
  RewardNews: ['at', 'before', 'reward', 'text'],
  OwnField: ['name', 'value'],
  AffiliateBalance: ['currency', 'due', 'paid', 'pending', 'revenue', 'total'],
  Explanation: [
    'base',
    'baseCents',
    'baseCurrency',
    'calculatedCents',
    'dueReason',
    'exactAmount',
    'lines',
    'matchedBy',
    'rounding',
    'sentences',
    'summary',
  ],
  ExplanationLine: [
    'amountCents',
    'commissionCents',
    'fixedCents',
    'name',
    'percent',
    'productId',
    'quantity',
    'reason',
  ],
  Commission: [
    'affiliateId',
    'amount',
    'amountCents',
    'campaign',
    'campaignId',
    'correctsSale',
    'createdAt',
    'currency',
    'dueAt',
    'explanation',
    'heldReason',
    'heldReasons',
    'id',
    'kind',
    'occurredAt',
    'paidAt',
    'payout',
    'reason',
    'referral',
    'refund',
    'sale',
    'state',
    'updatedAt',
    'voidedAt',
  ],
  Payout: [
    'affiliateId',
    'amount',
    'amountCents',
    'commissions',
    'createdAt',
    'currency',
    'exchangeRate',
    'failedAt',
    'id',
    'minimumPayout',
    'minimumPayoutCents',
    'missing',
    'missingCents',
    'paidAt',
    'received',
    'receivedCents',
    'receivedCurrency',
    'reference',
    'sentAt',
    'state',
    'updatedAt',
    'withheld',
    'withheldCents',
  ],
  Referral: [
    'affiliateId',
    'becameConversionAt',
    'becameLeadAt',
    'campaign',
    'campaignId',
    'commissions',
    'conversionState',
    'coupon',
    'createdAt',
    'customer',
    'expiresAt',
    'id',
    'link',
    'sales',
    'sub',
    'updatedAt',
  ],
  Refund: ['amount', 'amountCents', 'createdAt', 'id', 'items', 'occurredAt', 'reversedAt', 'sale'],
  RefundItem: ['amountCents', 'productId', 'quantity'],
  SaleItem: ['amountCents', 'name', 'productId', 'quantity'],
  PayoutRecipient: ['checkedAt', 'isReady', 'missing', 'service'],
  StartPayoutOnboardingPayload: ['url'],
  RefreshPayoutOnboardingPayload: ['payoutRecipient'],
  Mutation: [
    'acceptSelfBilling',
    'acceptTerms',
    'archiveMyLink',
    'createMyLink',
    'endMySessions',
    'refreshPayoutOnboarding',
    'signTaxProfile',
    'startPayoutOnboarding',
    'updateMe',
  ],
  EndMySessionsPayload: ['count'],
  AffiliateSession: ['address', 'endsAt', 'id', 'isCurrent', 'startedAt', 'userAgent'],
  SharedAsset: ['address', 'asset', 'snippet', 'visitors'],
  Asset: ['fileUrl', 'height', 'id', 'kind', 'name', 'page', 'text', 'url', 'width'],
  SubReport: ['commission', 'conversions', 'leads', 'sales', 'salesAmount', 'sub', 'visitors'],
  AcceptTermsPayload: ['affiliate', 'version'],
  ArchiveMyLinkPayload: ['affiliateLink'],
  Terms: ['from', 'publishedAt', 'requiredFrom', 'text', 'version'],
  CreateMyLinkPayload: ['affiliateLink', 'url'],
  SignTaxProfilePayload: ['affiliate'],
  UpdateMePayload: ['affiliate', 'mailChoices'],
  MailChoices: ['commissions', ...['Message', 'Payout', 'Reward', 'Statement', 'Terms'].map((of) => `gets${of}Mails`)],
  Sale: [
    'amount',
    'amountCents',
    'attributedBy',
    'billingInterval',
    'campaign',
    'commissions',
    'createdAt',
    'currency',
    'customer',
    'customerName',
    'id',
    'items',
    'noCommissionReason',
    'occurredAt',
    'outcome',
    'paymentNumber',
    'referral',
    'refunded',
    'refundedCents',
    'refunds',
    'source',
    'updatedAt',
  ],
}

type Field = GraphQLField<unknown, unknown>
type Place = { type: string; field: Field; isAllowed: boolean }

const places: Place[] = Object.values(publicSchema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({
      type: type.name,
      field: field as Field,
      isAllowed: allowed[type.name]?.includes(field.name) ?? false,
    })),
  )

/** The object types that a field can return, including those of an interface or a union. */
function typesOf(field: Field): string[] {
  const type = getNamedType(field.type)
  if (isInterfaceType(type) || isUnionType(type)) return publicSchema.getPossibleTypes(type).map(({ name }) => name)
  return isObjectType(type) ? [type.name] : []
}

/** The fields from the root to each type, on the path with the fewest rejected fields, and among these the shortest. */
const waysTo = new Map<string, Place[]>([
  ['Query', []],
  ['Mutation', []],
  ['Subscription', []],
])
const costOf = (way: Place[]) => way.reduce((cost, { isAllowed }) => cost + (isAllowed ? 1 : 100), 0)
for (let isFinished = false; !isFinished; ) {
  isFinished = true
  for (const place of places) {
    const before = waysTo.get(place.type)
    // A subscription waits for an event. That mutation needs the id of a link that exists.
    if (!before || ['Subscription', 'ArchiveMyLinkPayload'].includes(place.type)) continue
    const way = [...before, place]
    for (const type of typesOf(place.field)) {
      const known = waysTo.get(type)
      if (known && costOf(known) <= costOf(way)) continue
      waysTo.set(type, way)
      isFinished = false
    }
  }
}

function operationTo(place: Place): { operation: string; way: Place[] } {
  const way = [...(waysTo.get(place.type) ?? []), place]
  const leaf = isLeafType(getNamedType(place.field.type)) ? '' : ' { __typename }'
  const selection = way.reduceRight(
    (inner, { type, field }) => `... on ${type} { ${callOf(field)}${inner} }`.replace(/^/, ' { ').concat(' }'),
    leaf,
  )
  const root = way[0]?.type.toLowerCase()
  return { operation: `${root}${selection}`, way }
}

const test = await createTestApp()
let program: TestProgram
let own: ReturnType<typeof graphqlClient>

beforeAll(async () => {
  program = await test.createProgram()
  // Rows of every type: without a row its fields would never be resolved, and never rejected.
  const { affiliate, campaign, link, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  const { email } = await createLead(program, link.token)
  await program.graphql(
    `mutation ($token: String!) { recordVisit(input: { token: $token, sub: "mail" }) { referral { id } }
      createAsset(input: { kind: TEXT, name: "Line", text: "Try Acme" }) { asset { id } } }`,
    { token: link.token },
  )
  await reportSale(program, { email, external_id: 'inv_1' })
  await reportSale(program, { coupon, email })
  const { body: payouts } = await program.get('/payouts')
  await program.post(`/payouts/${payouts.data[0].id}/pay`)
  // After the payment, so that the refund creates a negative commission.
  await program.post('/conversions/refund', { external_id: 'inv_1' })
  await program.graphql(
    `mutation ($campaignId: ID!, $coupon: String!) {
      createCommissionRule(input: { campaignId: $campaignId, name: "Plan", appliesTo: ALL_SALES, reward: { percent: 10 },
        conditions: { productIds: ["plan"] } }) { commissionRule { id } }
      reportConversion(input: { coupon: $coupon, amountCents: 10000, items: [{ productId: "plan", amountCents: 4000 }] }) {
        sale { id } } }`,
    { campaignId: campaign.id, coupon },
  )
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id: affiliate.id },
  )
  own = graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
})

describe('for an affiliate', () => {
  it('exactly the fields of this list are readable', () => {
    const marked = places.filter(({ field }) => {
      const { forAffiliate } = field.extensions.pothosOptions as { forAffiliate?: unknown }
      return Boolean(forAffiliate)
    })
    const names = (some: Place[]) => some.map(({ type, field }) => `${type}.${field.name}`).sort()
    expect(names(marked)).toEqual(
      Object.entries(allowed)
        .flatMap(([type, fields]) => fields.map((field) => `${type}.${field}`))
        .sort(),
    )
    expect(names(places.filter(({ isAllowed }) => isAllowed))).toEqual(names(marked))
  })

  it('introspection shows exactly these fields, as schema.affiliate.graphql does; a key sees all', async () => {
    const query = getIntrospectionQuery({ specifiedByUrl: true })
    const schema = buildClientSchema(await own(query))
    const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) && !type.name.startsWith('__')
        ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)
        : [],
    )
    expect(fields.sort()).toEqual(
      Object.entries(allowed)
        .flatMap(([type, names]) => names.map((field) => `${type}.${field}`))
        .sort(),
    )
    const { commissions } = (schema.getType('Affiliate') as GraphQLObjectType).getFields()
    expect(commissions?.args.map(({ name }) => name)).toEqual(['after', 'before', 'first', 'last', 'orderBy', 'where'])
    expect(printSchema(schema)).toBe(printAffiliateSchema().trimEnd())
    expect(readFileSync('schema.affiliate.graphql', 'utf8')).toBe(printAffiliateSchema())
    const whole = buildClientSchema(await program.graphql(query))
    expect(Object.keys(whole.getQueryType()?.getFields() ?? {})).toContain('affiliates')
  })

  it('the operations of the portal are valid in that schema', () => {
    const operations = parse(readFileSync('src/pages/portal/operations.graphql', 'utf8'))
    expect(validate(affiliateSchema(), operations)).toEqual([])
  })

  const refused = places.filter(({ isAllowed }) => !isAllowed)
  it('the walk finds fields and a path to each', () => {
    expect(refused.length).toBeGreaterThan(150)
    for (const { type } of places) expect([type, waysTo.has(type)]).toEqual([type, true])
  })

  const nameOf = ({ type, field }: Place) => `${type}.${field.name}`
  itEvery('every other field is rejected', refused, nameOf, async (place) => {
    const { operation, way } = operationTo(place)
    const error = await own(operation).catch((thrown: Error) => thrown)
    const first = way.find(({ isAllowed }) => !isAllowed)
    const { errors = [] } = error as { errors?: object[] }
    expect(errors).not.toHaveLength(0)
    for (const one of errors)
      expect(one).toMatchObject({
        message: `An affiliate token cannot read ${first?.type}.${first?.field.name}.`,
        extensions: { code: 'FORBIDDEN' },
      })
  })

  itEvery('every other field is rejected by every path', refused, nameOf, ({ field }) => {
    const context = { actor: { kind: 'affiliate', affiliateId: 'somebody' }, namedProgram: { id: 'some program' } }
    // A GraphQLResolveInfo only exists while an operation runs. The guard reads this part of it.
    const info = { fieldNodes: [] } as never
    expect(() => field.resolve?.({}, {}, context, info)).toThrow('An affiliate token cannot read')
    if (field.subscribe) expect(() => field.subscribe?.({}, {}, context, info)).toThrow('An affiliate token')
  })

  it("another affiliate's row shows no field, by any path", () => {
    const context = { actor: { kind: 'affiliate', affiliateId: 'me' }, namedProgram: { id: 'here' } }
    const info = { fieldNodes: [], fieldName: 'id' } as never
    const read = (type: string, row: object) =>
      places
        .find(
          (place) => place.type === type && place.field.name === (type === 'AffiliateAnalytics' ? 'timeZone' : 'id'),
        )
        ?.field.resolve?.(row, {}, context, info)
    for (const [type, row] of [
      ['Affiliate', { programId: 'here', id: 'you' }],
      ['Affiliate', { programId: 'there', id: 'me' }],
      ['Affiliate', { programId: 'here' }],
      ['AffiliateAnalytics', { programId: 'here', affiliateId: 'you' }],
      ['AffiliateAnalytics', { programId: 'there', affiliateId: 'me' }],
      ['Sale', { programId: 'here', id: 'sale', affiliateId: 'you' }],
      ['Commission', { programId: 'there', id: 'commission', affiliateId: 'me' }],
      ['Campaign', { programId: 'there', id: 'campaign' }],
    ] as const)
      expect(() => read(type, row)).toThrow('An affiliate token can only read records of its own affiliate.')
    expect(read('Affiliate', { programId: 'here', id: 'me' })).toBe('me')
    expect(read('Sale', { programId: 'here', id: 'sale', affiliateId: 'me' })).toBe('sale')
    expect(read('Campaign', { programId: 'here', id: 'campaign' })).toBe('campaign')
  })
})
