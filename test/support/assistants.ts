import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestApp, TestProgram } from './app.ts'
import { earner } from './payout-runs.ts'

export const revisions = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof revisions)[number]

type Connected = { test: Pick<TestApp, 'app' | 'origin'>; secret: string; revision?: Revision; program?: string }

/** The client of the protocol's library, connected to the tools of a caller. */
export async function connect({ test, secret, revision = '2026-07-28', program }: Connected) {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
  )
  const headers = { Authorization: `Bearer ${secret}`, ...(program && { 'X-Program-Id': program }) }
  const transport = new StreamableHTTPClientTransport(new URL(`${test.origin}/mcp`), {
    requestInit: { headers },
    fetch: (url, init) => test.app.fetch(new Request(url, init as RequestInit)),
  })
  await client.connect(transport as never)
  return {
    client,
    /** The answer of a tool. Throws what it says if it failed. */
    async call(name: string, args: object = {}): Promise<any> {
      const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
      const [content] = result.content as { text: string }[]
      if (result.isError) throw Object.assign(new Error(content?.text), { result })
      return result.structuredContent
    },
  }
}

export const affiliateToken = async ({ graphql }: TestProgram, id: string): Promise<string> =>
  (await graphql('mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }', { id }))
    .createAffiliateToken.token

/** The arguments of a call of each tool that succeeds. */
export async function examplesOfTools(test: TestApp) {
  const program = await test.createProgram()
  const { affiliate, commission, saleId, campaign } = await earner(program)
  const rules = [{ campaignId: campaign.id, name: 'All', reward: { percent: 25 } }]
  const ofProgram = {
    find: { text: affiliate.email },
    explain: { id: saleId },
    report: { report: 'totals' },
    list: { list: 'sales' },
    plan: { rules },
    attention: {},
    query: { query: '{ program { name } }' },
    propose: { kind: 'VOID', arguments: { ids: [commission.id] }, reason: 'Refunded' },
  }
  const ofAffiliate = {
    my_earnings: {},
    why: { commissionId: commission.id },
    my_links: {},
    make_link: { token: `made-${affiliate.id.slice(-6)}` },
    my_terms: {},
    next_payment: {},
  }
  return { program, affiliate, ofProgram, ofAffiliate, token: await affiliateToken(program, affiliate.id) }
}
