import { describe, expect, it } from 'vitest'
import { toolNames } from '../../../src/server/mcp/names.ts'
import { adminToken, createTestApp } from '../../support/app.ts'
import { connect, examplesOfTools, revisions } from '../../support/assistants.ts'

const test = await createTestApp()

describe.each(revisions)('a client of revision %s', (revision) => {
  it('lists and calls every tool', async () => {
    const { program, token, ofProgram, ofAffiliate } = await examplesOfTools(test)
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
