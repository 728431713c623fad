import fc from 'fast-check'
import { expect } from 'vitest'
import { mintId } from '../../src/kernel/ids.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import type { TestApp, TestProgram } from '../support/app.ts'
import { listed } from '../support/factories.ts'
import { anotherKey } from '../support/payout-runs.ts'
import type { Real } from './commands/command.ts'
import { provider } from './commands/sales.ts'
import { commands } from './commands.ts'
import { type Campaign, Model, type Rule } from './model.ts'

const startingRules: Rule[] = [
  {
    basisPoints: 1_250,
    amountCents: null,
    daysBeforeDue: 0,
    daysBeforeExpiry: 60,
    maxCommissions: null,
    maxMonths: null,
    minimumPayout: 0,
    minimumOfEuros: null,
  },
  {
    basisPoints: null,
    amountCents: 700,
    daysBeforeDue: 7,
    daysBeforeExpiry: 30,
    maxCommissions: 3,
    maxMonths: 12,
    minimumPayout: 1_000,
    minimumOfEuros: 200,
  },
]

/**
 * Creates a sandbox with two campaigns and three affiliates, and its model. Inserts the rows directly, as thousands of
 * sequences start with it. Other tests cover the creation of affiliates.
 */
async function createSandbox(app: TestApp): Promise<{ model: Model; real: Real }> {
  const program = await app.createProgram({ isSandbox: true })
  const { now } = app.clock
  const model = new Model(now.getTime())
  const row = () => ({ programId: program.id, id: mintId(now), createdAt: now, updatedAt: now })
  const campaigns = startingRules.map((rule) => ({ ...row(), ...campaignRow(rule) }))
  const affiliates = [0, 0, 1].map((at, index) => {
    const campaignId = (campaigns[at] as { id: string }).id
    return {
      ...row(),
      campaignId,
      email: `${index}@affiliate.test`,
      emailKey: `${index}@affiliate.test`,
      state: 'active' as const,
    }
  })
  const tokens = affiliates.map(({ id }, index) => {
    return { ...row(), affiliateId: id, token: `token-${index}`, tokenKey: `token-${index}` }
  })
  const { db } = app.database
  await db.program.update({ where: { id: program.id }, data: { agentProvider: provider } })
  await db.campaign.createMany({ data: campaigns })
  await db.affiliate.createMany({ data: affiliates })
  await db.affiliateLink.createMany({ data: tokens })
  await db.affiliateCoupon.createMany({ data: tokens })
  model.campaigns = campaigns.map(({ id }, index) => {
    const rule = startingRules[index] as Rule
    return { id, rule, versions: [{ at: model.now, value: rule }], dealVersions: [{ at: model.now, value: [] }] }
  })
  model.affiliates = affiliates.map(({ id, campaignId }, index) => {
    const campaign = model.campaigns.find((one) => one.id === campaignId) as Campaign
    const token = `token-${index}`
    const versions = { campaigns: [{ at: model.now, value: campaign }], groups: [{ at: model.now, value: [] }] }
    return { id, token, coupon: token, state: 'active', campaign, ...versions }
  })
  for (const name of ['Partners', 'Friends']) {
    const text = 'mutation ($name: String!) { createAffiliateGroup(input: { name: $name }) { affiliateGroup { id } } }'
    model.groups.push((await program.graphql(text, { name })).createAffiliateGroup.affiliateGroup.id)
  }
  let another: ReturnType<Real['second']> | undefined
  const second = () => (another ??= anotherKey(app, program))
  const limit = async (payoutApprovalAboveCents: number | null) => {
    const text = 'mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }'
    await app.operator(text, { input: { id: program.id, payoutApprovalAboveCents } })
  }
  const tick = () => app.clock.advanceMinutes(1 / 60)
  return { model, real: { program, second, limit, tick } }
}

const campaignRow = (rule: Rule) => ({
  name: 'Partners',
  url: 'https://acme.test',
  private: false,
  isDefault: false,
  rewardType: rule.basisPoints === null ? ('amount' as const) : ('percent' as const),
  commissionBasisPoints: rule.basisPoints,
  commissionAmountCents: rule.amountCents === null ? null : BigInt(rule.amountCents),
  commissionCurrency: 'usd',
  minimumPayoutCents: BigInt(rule.minimumPayout),
  minimumPayouts: rule.minimumOfEuros === null ? {} : { eur: String(rule.minimumOfEuros) },
  daysBeforeReferralsExpire: rule.daysBeforeExpiry,
  daysBeforeCommissionsAreDue: rule.daysBeforeDue,
  maxCommissions: rule.maxCommissions,
  maxCommissionPeriodInMonths: rule.maxMonths,
})

/** Checks that all lists of the service equal the model, and that the doctor finds nothing. */
async function compare(app: TestApp, model: Model, program: TestProgram): Promise<void> {
  const all = async (path: string) => {
    const rows: any[] = []
    for (let page = 1; ; page += 1) {
      const data = await listed(program, `${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`)
      rows.push(...data)
      if (data.length < 100) return rows
    }
  }
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const byId = <T extends { id: string }>(rows: T[]) => Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))
  const commissions = (await all('/commissions')).map(({ id, amount, currency, state, due_at, paid_at }) => {
    return { id, amount, currency, state, due_at, paid_at }
  })
  expect(byId(commissions)).toEqual(
    byId(
      model.commissions.map((one) => ({
        id: one.id,
        amount: one.amount,
        currency: one.currency,
        state: model.stateOf(one),
        due_at: iso(one.dueAt),
        paid_at: iso(one.paidAt),
      })),
    ),
  )
  const referrals = (await all('/referrals')).map(
    ({ id, affiliate_id, campaign_id, became_lead_at, became_conversion_at, expires_at }) => {
      return { id, affiliate_id, campaign_id, became_lead_at, became_conversion_at, expires_at }
    },
  )
  expect(byId(referrals)).toEqual(
    byId(
      model.referrals.map((one) => ({
        id: one.id,
        affiliate_id: one.affiliate.id,
        campaign_id: one.campaign.id,
        became_lead_at: iso(one.leadAt),
        became_conversion_at: iso(one.convertedAt),
        expires_at: iso(one.expiresAt),
      })),
    ),
  )
  const affiliates = byId(await all('/affiliates')) as Record<string, any>
  for (const affiliate of model.affiliates) {
    expect(affiliates[affiliate.id]).toMatchObject(model.countersOf(affiliate, false))
    expect(affiliates[affiliate.id].links[0]).toMatchObject(model.countersOf(affiliate, true))
  }
  const payouts = (await all('/payouts?state=pending,paid,failed')).map(({ affiliate_id, currency, amount, state }) => {
    return `${state} ${affiliate_id} ${amount} ${currency}`
  })
  expect(payouts.sort()).toEqual(
    [
      ...model.openPayouts().map(({ affiliate, amount, currency }) => `pending ${affiliate.id} ${amount} ${currency}`),
      ...model.closed
        .filter(({ state }) => state !== 'sent')
        .map(({ affiliate, amount, currency, state }) => `${state} ${affiliate.id} ${amount} ${currency}`),
    ].sort(),
  )
  expect(await examine(app.database, { programId: program.id })).toEqual([])
}

/**
 * Runs random sequences of up to 50 commands against the service and the model, and prints the seed. MODEL_SEED repeats
 * a run, MODEL_RUNS sets the number of sequences over all parts (the default is in vitest.config.ts), and MODEL_MINUTES
 * limits the time. The printed counts show whether the time limit was reached.
 */
export async function checkSequences(app: TestApp, { part, parts }: { part: number; parts: number }): Promise<void> {
  const runs = Math.ceil(Number(process.env.MODEL_RUNS) / parts)
  const seed = Number(process.env.MODEL_SEED) + part
  const minutes = process.env.MODEL_MINUTES
  let [executed, completed] = [0, 0]
  // Long sequences combine more effects. Short ones are cheap, so more of them run.
  const [long, short] = [{ maxCommands: 50, size: 'max' } as const, { maxCommands: 12 }]
  const sequences = fc.oneof(
    { weight: 1, arbitrary: fc.commands(commands, long) },
    { weight: 2, arbitrary: fc.commands(commands, short) },
  )
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const { model, real } = await createSandbox(app)
    await fc.asyncModelRun(() => ({ model, real }), sequence)
    await compare(app, model, real.program)
    executed += model.steps
    completed += 1
  })
  const limit = minutes === undefined ? {} : { interruptAfterTimeLimit: Number(minutes) * 60_000 }
  await fc.assert(property, { numRuns: runs, seed, endOnFailure: false, ...limit })
  console.log(`${completed} of ${runs} sequences, ${executed} commands, MODEL_SEED=${seed - part}`)
}
