import type { TestApp } from '../../support/app.ts'
import { createSeller } from '../../support/factories.ts'

const rule = `commissionRule { id reward { percent } cap { perSaleCents perMonthCents perYearCents } }`

/** Advances the clock to the next day of a month, at noon UTC. @param month 1 is January */
export function advanceTo(app: TestApp, month: number, date: number): Date {
  const { now } = app.clock
  const ofYear = (year: number) => Date.UTC(year, month - 1, date, 12)
  const year = now.getUTCFullYear()
  const next = ofYear(year) > now.getTime() ? ofYear(year) : ofYear(year + 1)
  app.clock.advanceMinutes((next - now.getTime()) / 60_000)
  return app.clock.now
}

/** A program with a seller, and functions that add rules to its campaign and report sales. */
export async function createRuler(app: TestApp) {
  const program = await app.createProgram()
  const { campaign, affiliate, coupon } = await createSeller(program)
  const createRule = async (input: object) => {
    const text = `mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { ${rule} } }`
    const given = { campaignId: campaign.id, name: 'Deal', appliesTo: 'ALL_SALES', ...input }
    return (await program.graphql(text, { input: given })).createCommissionRule.commissionRule
  }
  const report = async (input: object) => {
    const text = `mutation ($input: ReportConversionInput!) { reportConversion(input: $input) {
      sale { id noCommissionReason } commission { id amountCents } explanation { summary } } }`
    const { reportConversion } = await program.graphql(text, { input: { amountCents: 10_000, ...input } })
    const { sale, commission, explanation } = reportConversion
    return {
      saleId: sale.id,
      noCommissionReason: sale.noCommissionReason,
      commissionId: commission?.id,
      amountCents: commission?.amountCents,
      summary: explanation.summary as string[],
    }
  }
  return { program, campaign, affiliate, coupon: coupon as string, createRule, report }
}
