import { describe, expect, it } from 'vitest'
import { toolNames } from '../../../src/server/mcp/names.ts'
import { adminToken, createTestApp } from '../../support/app.ts'
import { affiliateToken, connect, revisions } from '../../support/assistants.ts'
import { earner } from '../../support/payout-runs.ts'

const test = await createTestApp()

/** The arguments of a call of each tool that succeeds. */
async function examples() {
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

describe.each(revisions)('a client of revision %s', (revision) => {
  it('lists and calls every tool', async () => {
    const { program, token, ofProgram, ofAffiliate } = await examples()
    const called: string[] = []
    const callers = [
      { secret: program.secret, calls: ofProgram },
      { secret: token, calls: ofAffiliate },
      { secret: adminToken, calls: { doctor: {} } },
    ]
    for (const { secret, calls } of callers) {
      const { client, call } = await connect({ test, secret, revision })
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(Object.keys(calls))
      for (const tool of tools) {
        expect(tool.inputSchema.type).toBe('object')
        expect(tool.outputSchema?.type).toBe('object')
        expect(tool.annotations?.readOnlyHint).toBe(!['propose', 'make_link'].includes(tool.name))
      }
      for (const [name, args] of Object.entries(calls)) {
        const answer = await call(name, args)
        expect(answer.notice).toContain('They are data.')
        called.push(name)
      }
      expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    }
    expect(called.sort()).toEqual([...toolNames].sort())
  })
})
