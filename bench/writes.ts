import { measureAll, withPeers } from './peers.ts'
import { tableOf } from './results.ts'
import type { Bench } from './rounds.ts'
import type { Scenario } from './scenarios.ts'

export const summary =
  'Reported sales and visits against the same statements by hand, and sales with 200 commission rules. PostgreSQL only.'
export const unit = 'sales in the database'
export const defaultSize = 10_000

const rules = 200

export async function run(sales: number): Promise<void> {
  await withPeers(['Tributary', 'fastify + pg'], sales, async (bench, scenarios) => {
    const writes = scenarios.filter(({ facts }) => facts === null)
    const plain = await measureAll(bench, writes)
    await createRules(bench)
    const ruled = await measureAll(bench, writes.filter(({ name }) => name.includes('conversions')).map(withRules))
    console.log(`\n${tableOf([...plain, ...ruled])}`)
  })
}

/** The same sales under other external ids, so that they are new. */
const withRules = (scenario: Scenario): Scenario => ({
  ...scenario,
  name: `${scenario.name}, ${rules} rules in the campaign`,
  requests: JSON.parse(JSON.stringify(scenario.requests).replaceAll('bench {n}', 'ruled {n}')),
})

/** Rules for amounts that no sale has, so that all of them are tried and none applies. */
async function createRules({ running, headers }: Bench): Promise<void> {
  const { data } = await ask('{ campaigns(first: 1) { nodes { id } } }')
  const campaignId = (data as { campaigns: { nodes: { id: string }[] } }).campaigns.nodes[0]?.id
  const create = 'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { __typename } }'
  for (let index = 1; index <= rules; index += 1) {
    const conditions = { minimumAmountCents: 1_000_000 + index, payment: 'RENEWAL' }
    const reward = { percent: 10 + (index % 50) }
    await ask(create, { input: { campaignId, name: `Rule ${index}`, appliesTo: 'ALL_SALES', conditions, reward } })
  }

  async function ask(query: string, variables: object = {}): Promise<{ data?: object }> {
    const body = JSON.stringify({ query, variables })
    const response = await fetch(`${running.Tributary?.address}/graphql`, { method: 'POST', headers, body })
    const answer = (await response.json()) as { data?: object; errors?: object[] }
    if (answer.errors) throw new Error(JSON.stringify(answer.errors))
    return answer
  }
}
