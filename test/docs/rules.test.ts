import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { calculateCommission } from '../../src/modules/commissions/calculate.ts'
import { chosenFor, termsOf } from '../../src/modules/rules/apply.ts'
import { limitsOfCap, tightest, unused } from '../../src/modules/rules/cap.ts'
import { inOrder } from '../../src/modules/rules/choose.ts'
import type { StoredConditions } from '../../src/modules/rules/conditions/all.ts'
import type { StoredReward } from '../../src/modules/rules/rewards/all.ts'
import type { StoredRule } from '../../src/modules/rules/rule.ts'
import { earnedByStep, nothingSold, tierOf } from '../../src/modules/rules/tiers.ts'

const text = readFileSync('docs/rules.md', 'utf8')
const examples = text.slice(text.indexOf('## Examples'))
const tables = examples
  .split('\n\n')
  .filter((part) => part.startsWith('|'))
  .map((part) => part.trim().split('\n').slice(2).map(cellsOf))
function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
const [ruleRows = [], saleRows = [], cappedRows = [], tierRows = [], itemRows = []] = tables
const [, partners = ''] = /^(.+) are in the group Partners\.$/m.exec(examples) ?? []

const cents = (amount: string) => BigInt(amount.replace('.', ''))

function conditionsOf(said: string): StoredConditions {
  const conditions: StoredConditions = {}
  for (const condition of said.split(', ')) {
    const [kind, value = ''] = condition.split(' ')
    if (kind === 'from') Object.assign(conditions, { minimumAmountCents: String(cents(value)), currency: 'usd' })
    else if (kind === 'first') conditions.payment = 'first'
    else if (kind === 'coupon') conditions.couponTokens = [value.toLowerCase()]
    else if (kind === 'group') conditions.groupIds = [value]
    else if (kind === 'affiliate') conditions.affiliateIds = [value]
    else throw new Error(`The test does not know the condition "${condition}".`)
  }
  return conditions
}

function rewardOf(said: string): StoredReward {
  if (said === 'nothing') return { kind: 'none' }
  if (said.endsWith(' %')) return { kind: 'percent', basisPoints: Number.parseInt(said, 10) * 100 }
  return { kind: 'amount', amountCents: String(cents(said.replace(' fixed', ''))), currency: 'usd' }
}

const rules = ruleRows.map(([name = '', conditions = '', reward = ''], index): StoredRule => {
  const startsAt = `2026-01-0${index + 1}T00:00:00.000Z`
  return {
    ...{ id: String(index), name, conditions: conditionsOf(conditions), reward: rewardOf(reward), limits: {} },
    ...{ appliesTo: 'all_sales', startsAt, endsAt: null, createdAt: startsAt },
  }
})

const campaign = {
  ...{ rewardType: 'percent' as const, commissionBasisPoints: 1_000, commissionAmountCents: null },
  ...{ commissionCurrency: 'usd', maxCommissions: null, maxCommissionPeriodInMonths: null },
  daysBeforeCommissionsAreDue: 30,
}

it('has seven rules, two partners and twelve examples', () => {
  expect([ruleRows.length, partners, saleRows.length]).toEqual([7, 'Ada and Cleo', 12])
})

it.each(saleRows)('example %s: %s, coupon "%s", %s payment of %s earns %s by %s', (...cells) => {
  const [, affiliateId = '', coupon = '', payment, amount = '', earns, by] = cells
  const occurredAt = new Date('2026-06-01')
  const sale = { amountCents: cents(amount), currency: 'usd', occurredAt }
  const said = { billingInterval: null, paymentNumber: null }
  const customerSince = payment === 'renewal' ? new Date('2026-05-01') : null
  const version = { number: 7, holdsFrom: new Date('2026-01-07'), rules: inOrder(rules), leadRules: [] }
  const couponKeys = coupon ? [coupon.toLowerCase()] : []
  const groupIds = partners.split(' and ').includes(affiliateId) ? ['Partners'] : []
  const facts = { ...sale, ...said, affiliateId, groupIds, couponKeys, customerSince }
  const terms = termsOf(campaign, chosenFor(campaign, version, facts), facts)
  const earned = calculateCommission(terms, sale, { commissions: 0, firstOccurredAt: null })
  const amountCents = 'reason' in earned ? 0n : earned.amountCents
  expect([terms.applied.name ?? 'campaign', amountCents]).toEqual([by, cents(earns ?? '')])
})

it('the examples of a cap are what it leaves', () => {
  const paid = new Map<string, bigint>()
  for (const [, month = '', amount = '', earns = '', because] of cappedRows) {
    const before = paid.get(month) ?? 0n
    const cap = limitsOfCap({ perSaleCents: '6000', perMonthCents: '10000' }, { monthCents: before, yearCents: 0n })
    const sale = { amountCents: cents(amount), currency: 'usd', occurredAt: new Date('2026-06-01') }
    const rule = { ...campaign, commissionBasisPoints: 5_000, cap }
    const earned = calculateCommission(rule, sale, { commissions: 0, firstOccurredAt: null })
    const amountCents = 'reason' in earned ? 0n : earned.amountCents
    const least = 'reason' in earned ? earned.reason : amountCents < cents(amount) / 2n ? tightest(cap)?.per : ''
    expect([amountCents, least]).toEqual([cents(earns), because])
    paid.set(month, before + amountCents)
  }
  expect(cappedRows).toHaveLength(4)
})

it.each(['above', 'whole_period'] as const)('the examples of tiers are what they give %s', (appliesTo) => {
  const steps = [
    { from: '0', basisPoints: 1_000 },
    { from: '30000', basisPoints: 2_000 },
    { from: '100000', basisPoints: 5_000 },
  ]
  const tiers = {
    kind: 'tiers' as const,
    measure: 'revenue' as const,
    period: 'month' as const,
    appliesTo,
    steps,
    currency: null,
  }
  const sold: bigint[] = []
  let paid = 0n
  for (const [, amount = '', above = '', whole = '', correction = ''] of tierRows) {
    const revenueCents = sold.reduce((sum, sale) => sum + sale, 0n)
    const sale = { amountCents: cents(amount), currency: 'usd', occurredAt: new Date('2026-06-01') }
    const tier = tierOf(tiers, { ...nothingSold, revenueCents }, sale.amountCents)
    const rule = { ...campaign, commissionBasisPoints: steps[tier.step]?.basisPoints ?? 0, tier }
    const earned = calculateCommission(rule, sale, { commissions: 0, firstOccurredAt: null })
    const amountCents = 'reason' in earned ? 0n : earned.amountCents
    expect(amountCents).toBe(cents(appliesTo === 'above' ? above : whole))
    sold.push(sale.amountCents)
    paid += amountCents
    if (appliesTo === 'above') continue
    const due = sold.reduce((sum, cents) => sum + earnedByStep(tiers, tier.step, cents), 0n) - paid
    expect(due).toBe(correction ? cents(correction) : 0n)
    paid += due
  }
  expect(tierRows).toHaveLength(4)
})

it('the examples of items are what a rule for products gives', () => {
  const steps = [
    { from: '0', basisPoints: 2_000 },
    { from: '2', basisPoints: 4_000 },
  ]
  const reward: StoredReward = {
    ...{ kind: 'tiers', measure: 'conversions', period: 'month', appliesTo: 'above', steps, currency: null },
  }
  const startsAt = '2026-01-01T00:00:00.000Z'
  const rule: StoredRule = {
    ...{ id: 'pro', name: 'Pro', conditions: { productIds: ['pro*'] }, reward, limits: {} },
    ...{ cap: { perSaleCents: '3000' }, appliesTo: 'all_sales', startsAt, endsAt: null, createdAt: startsAt },
  }
  const version = { number: 1, holdsFrom: new Date(startsAt), rules: [rule], leadRules: [] }
  const said = { billingInterval: null, paymentNumber: null, customerSince: null, groupIds: [], couponKeys: [] }
  for (const [index, [, sold = '', amount = '', step = '', earns = '']] of itemRows.entries()) {
    const items = sold.split(', ').map((item) => {
      const [productId = '', own = ''] = item.split(' ')
      return { productId, name: null, amountCents: String(cents(own)), quantity: 1 }
    })
    const sale = { amountCents: cents(amount), currency: 'usd', occurredAt: new Date('2026-06-01'), items }
    const facts = { ...sale, ...said, affiliateId: 'Bob' }
    const counted = new Map([['pro', { use: unused, standing: { ...nothingSold, conversions: BigInt(index) } }]])
    const terms = termsOf(campaign, chosenFor(campaign, version, facts), facts, counted)
    const earned = calculateCommission(terms, sale, { commissions: 0, firstOccurredAt: null })
    const ofRule = terms.itemTerms?.find((one) => one !== null)
    expect([`${(ofRule?.commissionBasisPoints ?? 0) / 100} %`, 'amountCents' in earned && earned.amountCents]).toEqual([
      step,
      cents(earns),
    ])
  }
  expect(itemRows).toHaveLength(4)
})
