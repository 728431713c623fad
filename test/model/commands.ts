import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestProgram } from '../support/app.ts'
import {
  type Affiliate,
  asOf,
  type Commission,
  day,
  granted,
  type Model,
  type Referral,
  type Rule,
  type Sale,
  type Signals,
  sum,
} from './model.ts'

// Each command does one thing to the service and the same to the model, and expects the same answer of both.

export type Real = { program: TestProgram }
type Command = fc.AsyncCommand<Model, Real>

const command = (
  name: string,
  isPossible: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({
  check: (model) => isPossible(model),
  async run(model, real) {
    model.steps += 1
    await run(model, real)
  },
  toString: () => name,
})

/** One of what there is; commands are made before anything is. */
const pick = <T>(rows: T[], position: number): T => rows[position % rows.length] as T
const position = fc.nat({ max: 997 })
const email = fc.constantFrom('a@one.test', 'b@two.test', 'c@three.test', 'd@four.test')
const cents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 30_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 4, 5, 2 ** 31) },
)
const currency = fc.constantFrom('usd', 'usd', 'usd', 'eur')
const viaGraphQL = fc.boolean()

async function refusedOr<T>(answer: Promise<T>): Promise<T | 'refused'> {
  return answer.catch((error) => {
    if (error.errors?.[0]?.extensions?.code === 'REFUSED') return 'refused' as const
    throw error
  })
}

const visit = fc.tuple(position).map(([at]) =>
  command(
    `visit ${at}`,
    () => true,
    async (model, { program }) => {
      const affiliate = pick(model.affiliates, at)
      const answer = await refusedOr(
        program.graphql('mutation ($token: String!) { recordVisit(token: $token) { id expiresAt } }', {
          token: affiliate.token,
        }),
      )
      if (affiliate.state !== 'active') return expect(answer).toBe('refused')
      addReferral(model, affiliate, answer.recordVisit.id, null)
      expect(Date.parse(answer.recordVisit.expiresAt)).toBe(model.referrals.at(-1)?.expiresAt)
    },
  ),
)

function addReferral(model: Model, affiliate: Affiliate, id: string, couponEmail: string | null | undefined): Referral {
  const { campaign } = affiliate
  const expiresAt = model.now + campaign.rule.daysBeforeExpiry * day
  const byLink = couponEmail === null
  const person = byLink ? null : (couponEmail ?? null)
  const referral = { id, affiliate, campaign, byLink, email: person, leadAt: null, convertedAt: null, expiresAt }
  model.referrals.push(referral)
  return referral
}

const lead = fc.tuple(position, email).map(([at, address]) =>
  command(
    `lead ${at} ${address}`,
    (model) => model.referrals.length > 0,
    async (model, { program }) => {
      const referral = pick(model.referrals, at)
      const answer = await refusedOr(
        program.graphql(
          'mutation ($id: ID!, $email: String!) { recordLead(referralId: $id, email: $email) { conversionState } }',
          { id: referral.id, email: address },
        ),
      )
      const isTooLate = referral.leadAt === null && referral.expiresAt <= model.now
      if (referral.affiliate.state !== 'active' || isTooLate) return expect(answer).toBe('refused')
      referral.leadAt ??= model.now
      referral.email ??= address
      expect(answer.recordLead.conversionState).toBe(referral.convertedAt === null ? 'LEAD' : 'CONVERSION')
    },
  ),
)

const signals = fc.record({ referral: position, coupon: position, email }, { requiredKeys: [] })

const sale = fc
  .tuple(signals, cents, currency, fc.constantFrom(0, 0, 0, 1, 40), viaGraphQL, fc.constantFrom(true, false, false))
  .filter(([given]) => Object.keys(given).length > 0)
  .map(([given, amount, money, daysAgo, overGraphQL, isSimulated]) =>
    command(
      `sale ${JSON.stringify(given)} ${amount} ${money} ${daysAgo} days ago${overGraphQL ? ' by GraphQL' : ''}`,
      (model) => given.referral === undefined || model.referrals.length > 0,
      async (model, real) => {
        const resolved: Signals = {
          ...(given.referral !== undefined && { referral: pick(model.referrals, given.referral) }),
          ...(given.coupon !== undefined && { coupon: pick(model.affiliates, given.coupon) }),
          ...(given.email !== undefined && { email: given.email }),
        }
        model.externalIds += 1
        const reported = {
          externalId: `inv_${model.externalIds}`,
          amount,
          currency: money,
          occurredAt: model.now - daysAgo * day,
          email: given.email ?? null,
        }
        const match = model.attribute(resolved, reported.occurredAt)
        const simulated = isSimulated ? await simulate(real, resolved, reported) : undefined
        const { answer, booked: told } = await report(real, resolved, reported, overGraphQL)
        if (simulated !== undefined) expect(simulated).toEqual(answer)
        if (!match) {
          expect(answer).toBeNull()
          const kept = await keptSale(real, reported.externalId)
          model.unattributed.push({ ...reported, id: kept })
          return
        }
        const booked = told ?? (await readSale(real, reported.externalId))
        const referral = 'byLink' in match ? match : addReferral(model, match, booked.referralId, given.email)
        expect(booked.referralId).toBe(referral.id)
        book(model, referral, referral.campaign.rule, reported, booked, answer)
      },
    ),
  )

type Reported = { externalId: string; email: string | null; amount: number; currency: string; occurredAt: number }
type Answer = { amount: number; currency: string; state: string; dueAt: string } | 'nothing' | null

const wire = (
  { referral, coupon, email: address }: Signals,
  { externalId, amount, currency: code, occurredAt }: Reported,
) => ({
  ...(referral && { referralId: referral.id }),
  ...(coupon && { coupon: coupon.coupon }),
  ...(address && { email: address }),
  amountCents: amount,
  currency: code,
  externalId,
  occurredAt: new Date(occurredAt).toISOString(),
})
const snake = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

/** What identifies a booked sale; REST does not tell the referral. */
type Booked = { saleId: string; referralId: string; commissionId: string | null }

async function report(
  { program }: Real,
  given: Signals,
  reported: Reported,
  overGraphQL: boolean,
): Promise<{ answer: Answer; booked?: Booked }> {
  const input = wire(given, reported)
  if (overGraphQL) return graphqlAnswer(program, 'mutation', 'reportConversion', input)
  const { status, body } = await program.post('/conversions', snake(input))
  if (status === 422) return { answer: null }
  expect([status, body.duplicate]).toEqual([201, false])
  const { commission } = body
  if (commission === null) return { answer: 'nothing' }
  const { amount, currency: code, state, due_at: dueAt } = commission
  return { answer: { amount, currency: code, state, dueAt } }
}

const simulate = async ({ program }: Real, given: Signals, reported: Reported): Promise<Answer> =>
  (await graphqlAnswer(program, 'query', 'simulateConversion', wire(given, reported))).answer

const seen = 'saleId sale { referral { id } } commission { id amountCents currency state dueAt }'
const bookedOf = ({ saleId, sale: { referral }, commission }: any): Booked => ({
  saleId,
  referralId: referral.id,
  commissionId: commission?.id ?? null,
})

async function graphqlAnswer(
  program: TestProgram,
  kind: string,
  field: string,
  input: object,
): Promise<{ answer: Answer; booked?: Booked }> {
  const answer = await refusedOr(
    program.graphql(`${kind} ($input: ReportConversionInput!) { ${field}(input: $input) { duplicate ${seen} } }`, {
      input,
    }),
  )
  if (answer === 'refused') return { answer: null }
  const conversion = answer[field]
  expect(conversion.duplicate).toBe(false)
  return { answer: answerOf(conversion.commission), booked: bookedOf(conversion) }
}

const answerOf = (commission: any): Answer =>
  commission
    ? {
        amount: commission.amountCents,
        currency: commission.currency,
        state: commission.state.toLowerCase(),
        dueAt: commission.dueAt,
      }
    : 'nothing'

/** A known external id changes nothing, so reporting the sale again is a way to read it. */
async function readSale({ program }: Real, externalId: string): Promise<Booked> {
  const { reportConversion } = await program.graphql(
    `mutation ($externalId: String!) {
      reportConversion(input: { externalId: $externalId, amountCents: 1, email: "nobody@nowhere.test" }) { duplicate ${seen} }
    }`,
    { externalId },
  )
  expect(reportConversion.duplicate).toBe(true)
  return bookedOf(reportConversion)
}

async function keptSale({ program }: Real, externalId: string): Promise<string> {
  const { unattributedSales } = await program.graphql('{ unattributedSales(limit: 100) { data { id externalId } } }')
  return unattributedSales.data.find((one: { externalId: string }) => one.externalId === externalId).id
}

function book(
  model: Model,
  referral: Referral,
  rule: Rule,
  reported: Reported,
  booked: { saleId: string; commissionId: string | null },
  answer: Answer,
): void {
  const earned = model.earns(referral, rule, reported)
  const { externalId, amount, currency: code, occurredAt } = reported
  const newSale: Sale = {
    id: booked.saleId,
    externalId,
    referral,
    email: reported.email ?? referral.email,
    amount,
    currency: code,
    refunded: 0,
    refunds: [],
  }
  model.sales.push(newSale)
  referral.email ??= reported.email
  referral.leadAt ??= occurredAt
  referral.convertedAt ??= occurredAt
  if (!earned) {
    expect(booked.commissionId).toBeNull()
    expect(answer).toBe('nothing')
    return
  }
  const dueAt = occurredAt + rule.daysBeforeDue * day
  const commission: Commission = {
    id: booked.commissionId as string,
    sale: newSale,
    refundId: null,
    ...earned,
    rule: { ...rule },
    occurredAt,
    dueAt,
    ended: null,
  }
  model.commissions.push(commission)
  expect(answer).toEqual({ ...earned, state: model.stateOf(commission), dueAt: new Date(dueAt).toISOString() })
}

const repeat = fc.tuple(position, cents, viaGraphQL).map(([at, amount, overGraphQL]) =>
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

const attribute = fc.tuple(position, position).map(([at, whose]) =>
  command(
    `attribute ${at} to ${whose}`,
    (model) => model.unattributed.length > 0,
    async (model, real) => {
      const kept = pick(model.unattributed, at)
      const affiliate = pick(model.affiliates, whose)
      const answer = await refusedOr(
        real.program.graphql(
          `mutation ($id: ID!, $affiliateId: ID!) {
          attributeSale(id: $id, affiliateId: $affiliateId) { commissions { amountCents currency state dueAt } }
        }`,
          { id: kept.id, affiliateId: affiliate.id },
        ),
      )
      if (affiliate.state !== 'active') return expect(answer).toBe('refused')
      model.unattributed = model.unattributed.filter((one) => one !== kept)
      const booked = await readSale(real, kept.externalId)
      const existing = model.referralOf(kept.email ?? undefined, kept.occurredAt, (one) => one.affiliate === affiliate)
      const campaign = existing?.campaign ?? asOf(affiliate.campaigns, kept.occurredAt)
      const referral =
        existing ?? addReferral(model, { ...affiliate, campaign }, booked.referralId, kept.email ?? undefined)
      referral.affiliate = affiliate
      expect(booked.referralId).toBe(referral.id)
      const [commission] = answer.attributeSale.commissions
      book(model, referral, asOf(campaign.versions, kept.occurredAt), kept, booked, answerOf(commission))
    },
  ),
)

const refund = fc
  .tuple(position, fc.option(cents), fc.constantFrom(null, 're_1', 're_2', 're_3', 're_4'), viaGraphQL)
  .map(([at, amount, externalId, overGraphQL]) =>
    command(
      `refund ${at} ${amount ?? 'all'} ${externalId ?? ''}`,
      (model) => model.sales.length > 0,
      async (model, { program }) => {
        const sold = pick(model.sales, at)
        const input = {
          externalId: sold.externalId,
          ...(amount !== null && { amountCents: amount }),
          ...(externalId !== null && { refundExternalId: externalId }),
        }
        const answer = overGraphQL
          ? await refundOverGraphQL(program, input)
          : await program.post('/conversions/refund', snake(input)).then(({ status, body }) => ({ status, body }))
        const known =
          externalId === null
            ? []
            : model.sales.flatMap(({ refunds }) => refunds.filter((one) => one.externalId === externalId))
        const open = sold.amount - sold.refunded
        const readable = amount === null || amount > 0
        const isOfAnother = known.length > 0 && !sold.refunds.includes(known[0] as never)
        if (!readable || isOfAnother) return expect(answer.status).toBe(422)
        if (known[0]) {
          expect(answer).toMatchObject({
            status: 200,
            body: { duplicate: true, id: known[0].id, amount_cents: known[0].amount },
          })
          return
        }
        if (open === 0 || (amount ?? open) > open) return expect(answer.status).toBe(422)
        expect(answer).toMatchObject({ status: 201, body: { duplicate: false, amount_cents: amount ?? open } })
        takeBack(
          model,
          sold,
          { id: answer.body.id, externalId, amount: amount ?? open },
          answer.body.negative_commission,
        )
      },
    ),
  )

async function refundOverGraphQL(program: TestProgram, input: object) {
  const answer = await program
    .graphql(
      'mutation ($input: RefundSaleInput!) { refundSale(input: $input) { id duplicate amountCents negativeCommission { id amountCents } } }',
      { input },
    )
    .catch(() => null)
  if (answer === null) return { status: 422, body: null as any }
  const { id, duplicate, amountCents, negativeCommission: debt } = answer.refundSale
  const negative = debt && { id: debt.id, amount: debt.amountCents }
  return {
    status: duplicate ? 200 : 201,
    body: { id, duplicate, amount_cents: amountCents, negative_commission: negative },
  }
}

function takeBack(
  model: Model,
  sold: Sale,
  made: Sale['refunds'][number],
  debt: { id: string; amount: number } | null,
): void {
  sold.refunded += made.amount
  sold.refunds.push(made)
  const remaining = sold.amount - sold.refunded
  const ofSale = model.commissions.filter((one) => one.sale === sold)
  const earned = ofSale.find(({ refundId }) => refundId === null)
  const target = earned && remaining > 0 ? granted(earned.rule, remaining) : 0
  const less = Math.max(sum(ofSale) - target, 0)
  if (earned?.ended !== 'paid') expect(debt).toBeNull()
  if (!earned || earned.ended === 'void') return
  if (earned.ended === null) {
    if (remaining === 0) earned.ended = 'void'
    else earned.amount -= less
    return
  }
  expect(debt?.amount ?? 0).toBe(-less + 0)
  if (!debt) return
  const { now } = model
  model.commissions.push({
    ...earned,
    id: debt.id,
    refundId: made.id,
    amount: -less,
    occurredAt: now,
    dueAt: now,
    ended: null,
  })
}

const amend = fc.tuple(position, cents, viaGraphQL).map(([at, amount, overGraphQL]) =>
  command(
    `amend ${at} ${amount}`,
    (model) => model.commissions.length > 0,
    async (model, { program }) => {
      const commission = pick(model.commissions, at)
      const isAllowed = commission.ended === null && commission.refundId === null
      if (overGraphQL) {
        const answer = await refusedOr(
          program.graphql(
            'mutation ($id: ID!, $amount: SafeInt!) { amendCommission(id: $id, input: { amountCents: $amount }) { id } }',
            { id: commission.id, amount },
          ),
        )
        expect(answer === 'refused').toBe(!isAllowed)
      } else {
        const { status } = await program.put(`/commissions/${commission.id}`, { amount })
        expect(status).toBe(isAllowed ? 200 : 422)
      }
      if (isAllowed) commission.amount = amount
    },
  ),
)

const voiding = fc.tuple(position).map(([at]) =>
  command(
    `void ${at}`,
    (model) => model.commissions.length > 0,
    async (model, { program }) => {
      const commission = pick(model.commissions, at)
      const { status, body } = await program.delete(`/commissions/${commission.id}`)
      if (commission.ended === 'paid') return expect(status).toBe(422)
      expect([status, body.state]).toEqual([200, 'void'])
      commission.ended = 'void'
    },
  ),
)

const pay = fc.tuple(position, viaGraphQL).map(([at, overGraphQL]) =>
  command(
    `pay ${at}`,
    (model) => model.openPayouts().length > 0,
    async (model, { program }) => {
      const open = (await program.get('/payouts?state=pending&limit=100')).body.data
      const expected = model.openPayouts().map(({ affiliate, ...rest }) => ({ affiliate_id: affiliate.id, ...rest }))
      const told = open.map(({ affiliate_id, currency: code, amount }: any) => ({
        affiliate_id,
        currency: code,
        amount,
      }))
      expect(sorted(told)).toEqual(sorted(expected))
      const payout = pick(open as any[], at)
      const affiliate = model.affiliates.find(({ id }) => id === payout.affiliate_id) as Affiliate
      const isEnough = payout.amount >= affiliate.campaign.rule.minimumPayout
      if (overGraphQL) {
        const pays = program.graphql(
          'mutation ($id: ID!, $expected: SafeInt) { payPayout(id: $id, expectedAmountCents: $expected) { state } }',
          { id: payout.id, expected: payout.amount },
        )
        expect((await refusedOr(pays)) !== 'refused').toBe(isEnough)
      } else {
        const { status } = await program.post(`/payouts/${payout.id}/pay`)
        expect(status).toBe(isEnough ? 200 : 422)
      }
      if (!isEnough) return
      for (const one of model.payoutOf(affiliate, payout.currency)) one.ended = 'paid'
      model.paid.push({ id: payout.id, affiliate, currency: payout.currency, amount: payout.amount })
    },
  ),
)

const sorted = <T>(rows: T[]) => rows.map((row) => JSON.stringify(row)).sort()

const advance = fc.tuple(fc.constantFrom(1, 1, 7, 29, 31, 61, 400)).map(([days]) =>
  command(
    `advance ${days} days`,
    () => true,
    async (model, { program }) => {
      const { advanceClock } = await program.graphql(
        'mutation ($id: ID!, $days: Int!) { advanceClock(programId: $id, days: $days) { clock } }',
        { id: program.id, days },
      )
      model.now += days * day
      expect(Date.parse(advanceClock.clock)).toBe(model.now)
      const keptSince = model.now - 90 * day
      model.unattributed = model.unattributed.filter((one) => millisecondsOf(one.id) >= keptSince)
    },
  ),
)

/** When an id was made: its first 48 bits. */
const millisecondsOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

const changeState = fc
  .tuple(position, fc.constantFrom('active', 'active', 'disabled', 'suspicious'))
  .map(([at, state]) =>
    command(
      `affiliate ${at} becomes ${state}`,
      () => true,
      async (model, { program }) => {
        const affiliate = pick(model.affiliates, at)
        const { status } = await program.put(`/affiliates/${affiliate.id}`, { state })
        expect(status).toBe(200)
        affiliate.state = state as Affiliate['state']
      },
    ),
  )

const move = fc.tuple(position, position).map(([at, to]) =>
  command(
    `affiliate ${at} moves to ${to}`,
    () => true,
    async (model, { program }) => {
      const affiliate = pick(model.affiliates, at)
      const campaign = pick(model.campaigns, to)
      const { status } = await program.put(`/affiliates/${affiliate.id}`, { campaign_id: campaign.id })
      expect(status).toBe(200)
      affiliate.campaign = campaign
      affiliate.campaigns.push({ at: model.now, value: campaign })
    },
  ),
)

const change: fc.Arbitrary<Partial<Rule>> = fc.oneof(
  fc.record({ basisPoints: fc.integer({ min: 0, max: 10_000 }), amountCents: fc.constant(null) }),
  fc.record({ basisPoints: fc.constant(null), amountCents: fc.constantFrom(0, 1, 700, 2_500) }),
  fc.record({ daysBeforeDue: fc.constantFrom(0, 7, 30) }),
  fc.record({ daysBeforeExpiry: fc.constantFrom(0, 1, 30, 60) }),
  fc.record({ maxCommissions: fc.constantFrom(null, 1, 2, 3) }),
  fc.record({ maxMonths: fc.constantFrom(null, 1, 12) }),
  fc.record({ minimumPayout: fc.constantFrom(0, 1, 1_000, 5_000) }),
)

export const ruleFields = (rule: Partial<Rule>): Record<string, unknown> => ({
  ...('basisPoints' in rule && rule.basisPoints !== null && { commission_percent: (rule.basisPoints as number) / 100 }),
  ...('amountCents' in rule && rule.amountCents !== null && { commission_amount_cents: rule.amountCents }),
  ...('daysBeforeDue' in rule && { days_before_commissions_are_due: rule.daysBeforeDue }),
  ...('daysBeforeExpiry' in rule && { days_before_referrals_expire: rule.daysBeforeExpiry }),
  ...('maxCommissions' in rule && { max_commissions: rule.maxCommissions }),
  ...('maxMonths' in rule && { max_commission_period_in_months: rule.maxMonths }),
  ...('minimumPayout' in rule && { minimum_payout_cents: rule.minimumPayout }),
})

const changeCampaign = fc.tuple(position, change).map(([at, changed]) =>
  command(
    `campaign ${at} ${JSON.stringify(changed)}`,
    () => true,
    async (model, { program }) => {
      const campaign = pick(model.campaigns, at)
      const { status } = await program.put(`/campaigns/${campaign.id}`, ruleFields(changed))
      expect(status).toBe(200)
      campaign.rule = { ...campaign.rule, ...changed }
      campaign.versions.push({ at: model.now, value: campaign.rule })
    },
  ),
)

/** Sales come often, as everything else needs them. */
export const commands: fc.Arbitrary<Command>[] = [
  visit,
  lead,
  sale,
  sale,
  sale,
  repeat,
  refund,
  refund,
  amend,
  voiding,
  pay,
  pay,
  attribute,
  advance,
  advance,
  changeState,
  move,
  changeCampaign,
]
