import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestProgram } from '../../support/app.ts'
import { asOf, type Commission, day, type Model, type Referral, type Rule, type Sale, type Signals } from '../model.ts'
import { cents, command, currency, email, pick, position, type Real, refusedOr, snake, viaGraphQL } from './command.ts'
import { addReferral } from './referrals.ts'

const signals = fc.record({ referral: position, coupon: position, email }, { requiredKeys: [] })

export const sale = fc
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
  const { unattributedSales } = await program.graphql('{ unattributedSales(first: 100) { nodes { id externalId } } }')
  return unattributedSales.nodes.find((one: { externalId: string }) => one.externalId === externalId).id
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
    paidAt: null,
    isPaidAlone: false,
  }
  model.commissions.push(commission)
  expect(answer).toEqual({ ...earned, state: model.stateOf(commission), dueAt: new Date(dueAt).toISOString() })
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

export const attribute = fc.tuple(position, position).map(([at, whose]) =>
  command(
    `attribute ${at} to ${whose}`,
    (model) => model.unattributed.length > 0,
    async (model, real) => {
      const kept = pick(model.unattributed, at)
      const affiliate = pick(model.affiliates, whose)
      const answer = await refusedOr(
        real.program.graphql(
          `mutation ($id: ID!, $affiliateId: ID!) {
          attributeSale(input: { id: $id, affiliateId: $affiliateId }) { sale { commissions { nodes { amountCents currency state dueAt } } } }
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
      const [commission] = answer.attributeSale.sale.commissions.nodes
      book(model, referral, asOf(campaign.versions, kept.occurredAt), kept, booked, answerOf(commission))
    },
  ),
)
