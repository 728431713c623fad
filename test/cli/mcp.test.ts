import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { revisions } from '../support/assistants.ts'
import { startChild } from '../support/data-directory.ts'
import { earner } from '../support/payout-runs.ts'

const test = await createTestApp()
const server = createServer(test.app.handle)
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo
afterAll(() => void server.close())

it.each(revisions)('tributary mcp gives a client of revision %s the tools over stdio', async (revision) => {
  const program = await test.createProgram()
  const { affiliate, commission } = await earner(program)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', 'src/cli/tributary.ts', 'mcp'],
    env: {
      PATH: process.env.PATH ?? '',
      TRIBUTARY_URL: `http://127.0.0.1:${port}`,
      TRIBUTARY_KEY: program.secret,
    },
  })
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const)
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('explain')
    const found = await client.callTool({ name: 'find', arguments: { text: affiliate.email } })
    expect(found.structuredContent).toMatchObject({ results: [{ kind: 'affiliates', id: affiliate.id }] })
    // Several at once, each with its own answer.
    const answers = await Promise.all(
      [commission.id, affiliate.id].map((id) => client.callTool({ name: 'explain', arguments: { id } })),
    )
    expect(answers.map(({ isError = false }) => isError)).toEqual([false, true])
    const { contents } = await client.readResource({ uri: 'tributary://schema/held commissions' })
    expect((contents[0] as { text: string }).text).toContain('type Commission')
  } finally {
    await client.close()
  }
})

it('without a key it says what to set, without a stack trace', async () => {
  const { exited } = startChild('src/cli/tributary.ts', ['mcp'], { TRIBUTARY_KEY: '' })
  const { code, output } = await exited
  expect([code, output]).toEqual([1, expect.stringMatching(/^Set TRIBUTARY_KEY to an API key .*\.$/m)])
  expect(output).not.toContain('    at ')
})
