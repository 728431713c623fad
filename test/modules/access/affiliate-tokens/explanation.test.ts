import { expect, it } from 'vitest'
import { languages } from '../../../../src/kernel/languages.ts'
import { createTestApp } from '../../../support/app.ts'
import { addMember, setUpOperator } from '../../../support/people.ts'
import { createRuler } from '../../rules/ruler.ts'
import { clientOf } from './story.ts'

const test = await createTestApp()

const explanations = `query ($language: String) { me { commissions(first: 10) { nodes { kind heldReason
  explanation { summary sentences(language: $language) dueReason lines { name productId percent commissionCents } } } } } }`

it('an affiliate reads why, in each language, without names of other people and of rules', async () => {
  const { program, affiliate, coupon, createRule, report } = await createRuler(test)
  await createRule({ name: 'For Tom Turner', reward: { percent: 50 }, conditions: { affiliateIds: [affiliate.id] } })
  await createRule({ name: 'Not for Zoe', reward: { percent: 60 }, cap: { perSaleCents: 900 } })
  await createRule({
    name: 'Plan of Zoe',
    reward: { percent: 10 },
    conditions: { affiliateIds: [affiliate.id], productIds: ['plan'] },
  })
  await report({ coupon, items: [{ productId: 'plan', amountCents: 4_000, name: 'The plan' }] })
  const olga = await setUpOperator(test)
  const mia = await addMember(test, olga, program.slug, {
    email: 'mia@acme.test',
    role: 'MANAGER',
    name: 'Mia Manager',
  })
  const give = 'mutation ($input: CreateCommissionInput!) { createCommission(input: $input) { commission { id } } }'
  const bonus = { affiliateId: affiliate.id, kind: 'BONUS', amountCents: 700, reason: 'Best month' }
  await mia.graphql(program.slug)(give, { input: bonus })
  const ask = await clientOf(test, program, affiliate.id)
  for (const language of languages) {
    const { nodes } = (await ask(explanations, { language })).me.commissions
    expect(nodes).toHaveLength(2)
    const said = JSON.stringify(nodes)
    expect.soft(said).not.toMatch(/Tom|Zoe|Mia|undefined|\[object/)
    for (const value of ['The plan', 'Best month', '34']) expect.soft(said).toContain(value)
  }
  const { nodes } = (await ask(explanations, { language: 'en' })).me.commissions
  const of = (kind: string) => nodes.find((node: { kind: string }) => node.kind === kind)
  const [given, sale] = [of('BONUS'), of('SALE')]
  expect(given.explanation.sentences).toEqual([
    expect.stringMatching(/^A bonus of \$7\.00, on .*: Best month\.$/),
    'Due at once, because it waits for no return of a sale.',
  ])
  expect(sale.explanation.sentences).toEqual([
    'Attributed by the coupon.',
    'A rule of the program applies.',
    'The items earn by themselves, each rounded half up: $34.00 in all.',
    'The plan, by a rule: 10% of $40.00 is $4.00.',
    'The rest of the sale: 50% of $60.00 is $30.00.',
    'Due 30 days after the sale.',
  ])
  expect(sale.explanation.summary).toContain('The rest of the sale: 50 percent of 60.00 USD is 30.00 USD.')
})
