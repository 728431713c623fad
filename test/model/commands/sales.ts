import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestProgram } from '../../support/app.ts'
import {
  type Affiliate,
  type Commission,
  day,
  type Item,
  type Model,
  type Referral,
  type Sale,
  type Signals,
  type Unattributed,
  undecided,
  valueAt,
} from '../model.ts'
import {
  cents,
  command,
  currency,
  email,
  externalIdOf,
  pick,
  position,
  type Real,
  refusedOr,
  snake,
  viaGraphQL,
} from './command.ts'
import { applyWaiting } from './money.ts'
import { addReferral } from './referrals.ts'

const items = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Item[]>([]) },
  {
    weight: 3,
    arbitrary: fc.array(
      fc.record({
        product: fc.constantFrom('plan_a', 'plan_b', 'book'),
        amount: fc.integer({ min: 1, max: 15_000 }),
        quantity: fc.constantFrom(1, 1, 2, 5),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  },
)

/** The items that fit into the amount of the sale. */
function fitting(all: Item[], amount: number): Item[] {
  let left = amount
  return all.filter((item) => {
    if (item.amount > left) return false
    left -= item.amount
    return true
  })
}

/** What agents call the program. */
export const provider = 'acme.example'

const claims = fc.array(
  fc.record({
    at: position,
    by: fc.constantFrom('token', 'coupon', 'id'),
    touchpoint: fc.constantFrom('first', 'last', undefined),
    isExpired: fc.constantFrom(false, false, true),
  }),
  { minLength: 1, maxLength: 2 },
)

const signalPositions = fc.record({ referral: position, coupon: position, claims, email }, { requiredKeys: [] })

export const sale = fc
  .tuple(
    signalPositions,
    cents,
    currency,
    fc.constantFrom(0, 0, 0, 1, 40),
    viaGraphQL,
    fc.constantFrom(true, false, false),
    items,
  )
  .filter(([positions]) => Object.keys(positions).length > 0)
  .map(([positions, amount, money, daysAgo, overGraphQL, isSimulated, sold]) =>
    command(
      `sale ${JSON.stringify(positions)} ${amount} ${money} of ${JSON.stringify(sold)} ${daysAgo} days ago${overGraphQL ? ' by GraphQL' : ''}`,
      (model) => positions.referral === undefined || model.referrals.length > 0,
      async (model, real) => {
        const signals: Signals = {
          ...(positions.referral !== undefined && { referral: pick(model.referrals, positions.referral) }),
          ...(positions.coupon !== undefined && { coupon: pick(model.affiliates, positions.coupon) }),
          ...(positions.claims !== undefined && {
            claims: positions.claims.map(({ at, by, ...claim }) => {
              const affiliate = pick(model.affiliates, at)
              return { affiliate, name: affiliate[by], ...claim }
            }),
          }),
          ...(positions.email !== undefined && { email: positions.email }),
        }
        model.externalIds += 1
        const given = {
          externalId: externalIdOf(model.externalIds),
          amount,
          currency: money,
          occurredAt: model.now - daysAgo * day,
          email: positions.email ?? null,
          coupon: signals.coupon ?? null,
          items: fitting(sold, amount),
        }
        const isLate = isCountedByOrder(model, model.attribute(signals, given.occurredAt), given)
        const saleReport = isLate ? { ...given, occurredAt: model.now } : given
        const match = model.attribute(signals, saleReport.occurredAt)
        const simulated = isSimulated ? await simulate(real, signals, saleReport) : undefined
        const { outcome, recorded: reportedSale } = await report(real, signals, saleReport, overGraphQL)
        if (simulated !== undefined) expect(simulated).toEqual(outcome)
        if (!match) {
          expect(outcome).toBeNull()
          const id = await unattributedSaleId(real, saleReport.externalId)
          model.unattributed.push({ ...saleReport, id })
          return
        }
        const recorded = reportedSale ?? (await readSale(real, saleReport.externalId))
        const { occurredAt } = saleReport
        const isHeld = match === signals.referral && model.isLater(match, occurredAt)
        const referral = 'byLink' in match ? match : newReferral(model, match, recorded, occurredAt, positions.email)
        expect(recorded.referralId).toBe(referral.id)
        recordSale(model, referral, saleReport, recorded, outcome, isHeld)
      },
    ),
  )

type SaleReport = Omit<Unattributed, 'id'>

/**
 * Whether a limit or a deal counts what occurred after the sale, or was void only later. Which of them earn then follows
 * from their order, which `orders.test.ts` checks.
 */
function isCountedByOrder(model: Model, match: Referral | Affiliate | null, report: SaleReport): boolean {
  if (!match) return false
  const hasDeals = model.campaigns.some(({ dealVersions }) => dealVersions.length > 1)
  if (hasDeals && model.sales.some(({ occurredAt }) => occurredAt > report.occurredAt)) return true
  if (!('byLink' in match)) return false
  const { maxCommissions, maxMonths } = model.ruleOf(match, report)
  if (maxCommissions === null && maxMonths === null) return false
  return model.commissions.some(
    ({ sale, ended, occurredAt }) => sale?.referral === match && (ended === 'void' || occurredAt > report.occurredAt),
  )
}
type Outcome = { amount: number; currency: string; state: string; dueAt: string } | 'nothing' | null

const inputOf = (
  { referral, coupon, claims: said, email: address }: Signals,
  { externalId, amount, currency: code, occurredAt, items: sold }: SaleReport,
) => ({
  ...(referral && { referralId: referral.id }),
  ...(coupon && { coupon: coupon.coupon }),
  ...(said && {
    affiliateAttribution: said.map(({ affiliate, name, touchpoint, isExpired }) => ({
      provider,
      ...(name === affiliate.id ? { publisherId: name } : { token: name }),
      touchpoint,
      expiresAt: new Date(occurredAt + (isExpired ? -day : day)).toISOString(),
    })),
  }),
  ...(address && { email: address }),
  amountCents: amount,
  currency: code,
  externalId,
  occurredAt: new Date(occurredAt).toISOString(),
  ...(sold.length > 0 && {
    items: sold.map(({ product, amount: own, quantity }) => ({ productId: product, amountCents: own, quantity })),
  }),
})

/** The ids of a recorded sale. REST does not return the referral. */
type RecordedSale = { saleId: string; referralId: string; commissionId: string | null }

async function report(
  { program }: Real,
  signals: Signals,
  saleReport: SaleReport,
  overGraphQL: boolean,
): Promise<{ outcome: Outcome; recorded?: RecordedSale }> {
  const input = inputOf(signals, saleReport)
  if (overGraphQL) return reportOverGraphQL(program, 'mutation', 'reportConversion', input)
  const { status, body } = await program.post(
    '/conversions',
    snake({ ...input, items: input.items?.map(snake), affiliateAttribution: input.affiliateAttribution?.map(snake) }),
  )
  if (status === 422) return { outcome: null }
  expect([status, body.duplicate]).toEqual([201, false])
  const { commission } = body
  if (commission === null) return { outcome: 'nothing' }
  const { amount, currency: code, state, due_at: dueAt } = commission
  return { outcome: { amount, currency: code, state, dueAt } }
}

const simulate = async ({ program }: Real, signals: Signals, saleReport: SaleReport): Promise<Outcome> =>
  (await reportOverGraphQL(program, 'query', 'simulateConversion', inputOf(signals, saleReport))).outcome

const resultFields = 'saleId sale { referral { id } } commission { id amountCents currency state dueAt }'
const recordedSaleOf = ({ saleId, sale: { referral }, commission }: any): RecordedSale => ({
  saleId,
  referralId: referral.id,
  commissionId: commission?.id ?? null,
})

async function reportOverGraphQL(
  program: TestProgram,
  kind: string,
  field: string,
  input: object,
): Promise<{ outcome: Outcome; recorded?: RecordedSale }> {
  const response = await refusedOr(
    program.graphql(
      `${kind} ($input: ReportConversionInput!) { ${field}(input: $input) { duplicate ${resultFields} } }`,
      {
        input,
      },
    ),
  )
  if (response === 'refused') return { outcome: null }
  const conversion = response[field]
  expect(conversion.duplicate).toBe(false)
  return { outcome: outcomeOf(conversion.commission), recorded: recordedSaleOf(conversion) }
}

const outcomeOf = (commission: any): Outcome =>
  commission
    ? {
        amount: commission.amountCents,
        currency: commission.currency,
        state: commission.state.toLowerCase(),
        dueAt: commission.dueAt,
      }
    : 'nothing'

/** Reads a sale by reporting it again, which changes nothing. */
async function readSale({ program }: Real, externalId: string): Promise<RecordedSale> {
  const { reportConversion } = await program.graphql(
    `mutation ($externalId: String!) {
      reportConversion(input: { externalId: $externalId, amountCents: 1, email: "nobody@nowhere.test" }) { duplicate ${resultFields} }
    }`,
    { externalId },
  )
  expect(reportConversion.duplicate).toBe(true)
  return recordedSaleOf(reportConversion)
}

async function unattributedSaleId({ program }: Real, externalId: string): Promise<string> {
  const { unattributedSales } = await program.graphql('{ unattributedSales(first: 100) { nodes { id externalId } } }')
  return unattributedSales.nodes.find((one: { externalId: string }) => one.externalId === externalId).id
}

/** A referral that a sale creates. It has the campaign that the affiliate belonged to when the sale occurred. */
function newReferral(
  model: Model,
  affiliate: Affiliate,
  { referralId }: { referralId: string },
  occurredAt: number,
  address: string | undefined,
): Referral {
  const campaign = valueAt(affiliate.campaigns, occurredAt)
  const referral = addReferral(model, { ...affiliate, campaign }, referralId, address)
  referral.affiliate = affiliate
  return referral
}

/** Records a sale with the rule of the campaign at its time. */
function recordSale(
  model: Model,
  referral: Referral,
  saleReport: SaleReport,
  recorded: { saleId: string; commissionId: string | null },
  outcome: Outcome,
  isHeld = false,
): void {
  const rule = model.ruleOf(referral, saleReport)
  const earned = model.earnedBy(referral, rule, saleReport)
  const { externalId, amount, currency: code, occurredAt } = saleReport
  const newSale: Sale = {
    id: recorded.saleId,
    externalId,
    referral,
    email: saleReport.email ?? referral.email,
    amount,
    currency: code,
    occurredAt,
    items: saleReport.items,
    refunded: 0,
    refunds: [],
    log: [],
  }
  model.sales.push(newSale)
  referral.email ??= saleReport.email
  referral.leadAt ??= occurredAt
  referral.convertedAt ??= occurredAt
  if (!earned) {
    expect(recorded.commissionId).toBeNull()
    expect(outcome).toBe('nothing')
    applyWaiting(model, newSale)
    return
  }
  const dueAt = occurredAt + rule.daysBeforeDue * day
  const commission: Commission = {
    id: recorded.commissionId as string,
    sale: newSale,
    refundId: null,
    ...earned,
    rule: { ...rule, granted: earned.amount },
    occurredAt,
    dueAt,
    ...undecided,
    isHeld,
  }
  model.commissions.push(commission)
  applyWaiting(model, newSale)
  const state = model.stateOf(commission)
  expect(outcome).toEqual({ ...earned, amount: commission.amount, state, dueAt: new Date(dueAt).toISOString() })
}

export const repeat = fc.tuple(position, cents, viaGraphQL).map(([at, amount, overGraphQL]) =>
  command(
    `repeat ${at}`,
    (model) => model.sales.length > 0,
    async (model, { program }) => {
      const { externalId, id } = pick(model.sales, at)
      const other = { externalId, amountCents: amount, email: 'someone@else.test' }
      if (overGraphQL) {
        const { reportConversion } = await program.graphql(
          'mutation ($input: ReportConversionInput!) { reportConversion(input: $input) { duplicate saleId } }',
          { input: other },
        )
        expect(reportConversion).toEqual({ duplicate: true, saleId: id })
      } else {
        const { status, body } = await program.post('/conversions', snake(other))
        expect([status, body.duplicate, body.sale_id]).toEqual([200, true, id])
      }
    },
  ),
)

export const attribute = fc.tuple(position, position).map(([at, affiliateAt]) =>
  command(
    `attribute ${at} to ${affiliateAt}`,
    (model) => model.unattributed.length > 0,
    async (model, real) => {
      const unattributed = pick(model.unattributed, at)
      const affiliate = pick(model.affiliates, affiliateAt)
      const existing = model.referralOf(
        unattributed.email ?? undefined,
        unattributed.occurredAt,
        (one) => one.affiliate === affiliate,
      )
      // It occurred before sales that have an affiliate already.
      if (isCountedByOrder(model, existing ?? affiliate, unattributed)) return
      const response = await refusedOr(
        real.program.graphql(
          `mutation ($id: ID!, $affiliateId: ID!) {
          attributeSale(input: { id: $id, affiliateId: $affiliateId }) { sale { commissions { nodes { amountCents currency state dueAt } } } }
        }`,
          { id: unattributed.id, affiliateId: affiliate.id },
        ),
      )
      if (affiliate.state !== 'active') return expect(response).toBe('refused')
      model.unattributed = model.unattributed.filter((one) => one !== unattributed)
      const recorded = await readSale(real, unattributed.externalId)
      const referral =
        existing ?? newReferral(model, affiliate, recorded, unattributed.occurredAt, unattributed.email ?? undefined)
      expect(recorded.referralId).toBe(referral.id)
      const [commission] = response.attributeSale.sale.commissions.nodes
      recordSale(model, referral, unattributed, recorded, outcomeOf(commission))
    },
  ),
)
