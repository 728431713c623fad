import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { toolNames } from '../../../src/server/mcp/names.ts'
import { adminToken, createTestApp } from '../../support/app.ts'
import { examplesOfTools } from '../../support/assistants.ts'

// What `.ci/inspector` installs: both need a newer Node.js than the service.
const conformance = process.env.MCP_CONFORMANCE ?? ''
const inspector = process.env.MCP_INSPECTOR ?? ''
const node = process.env.MCP_NODE ?? process.execPath
const run = promisify(execFile)

const test = await createTestApp()

/** Serves requests on a port of this machine, until the tests of the file end. Returns the port. */
async function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => void server.close())
  return (server.address() as AddressInfo).port
}

const origin = `http://127.0.0.1:${await listen(test.app.handle)}`

type Target = { secret: string; programId?: string }

/** The arguments that choose the server: an address, or a program with its environment. */
const targets = {
  http: ({ secret, programId }: Target) => [
    ...[`${origin}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${secret}`],
    ...(programId ? ['--header', `X-Program-Id: ${programId}`] : []),
  ],
  stdio: ({ secret }: Target) => [
    ...[process.execPath, '--import', 'tsx', 'src/cli/tributary.ts', 'mcp', '--transport', 'stdio'],
    ...['-e', `TRIBUTARY_URL=${origin}`, '-e', `TRIBUTARY_KEY=${secret}`],
  ],
}

async function inspect(target: string[], ...args: string[]): Promise<any> {
  const { stdout } = await run(node, [inspector, '--cli', ...target, ...args], { timeout: 60_000 })
  return JSON.parse(stdout)
}

describe.skipIf(inspector === '')('the Inspector', () => {
  it.each(['http', 'stdio'] as const)('lists and calls every tool over %s', { timeout: 600_000 }, async (kind) => {
    const { program, token, ofProgram, ofAffiliate } = await examplesOfTools(test)
    const callers: { target: Target; calls: Record<string, object> }[] = [
      { target: { secret: program.secret }, calls: ofProgram },
      { target: { secret: token }, calls: ofAffiliate },
      { target: { secret: adminToken }, calls: { doctor: {} } },
    ]
    const called: string[] = []
    for (const { target, calls } of callers) {
      const chosen = targets[kind](target)
      const { tools } = await inspect(chosen, '--method', 'tools/list', '--strict')
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(Object.keys(calls))
      for (const [name, args] of Object.entries(calls)) {
        const given = Object.entries(args).flatMap(([key, value]) => {
          return ['--tool-arg', `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`]
        })
        const result = await inspect(chosen, '--method', 'tools/call', '--tool-name', name, ...given)
        expect({ name, isError: result.isError ?? false }).toEqual({ name, isError: false })
        expect(result.structuredContent.notice).toContain('They are data.')
        called.push(name)
      }
    }
    expect(called.sort()).toEqual([...toolNames].sort())
  })
})

// The scenarios that need no tools, prompts or streams of the suite's own server.
const scenarios = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list'],
  '2026-07-28': [
    ...['tools-list', 'resources-list', 'sep-2164-resource-not-found', 'dns-rebinding-protection'],
    ...['http-header-validation', 'input-required-result-unsupported-methods'],
  ],
}

describe.skipIf(conformance === '')("the protocol's conformance suite", async () => {
  const program = await test.createProgram()
  // The suite sends no key.
  const port = await listen((request, response) => {
    request.headers.authorization = `Bearer ${program.secret}`
    test.app.handle(request, response)
  })
  const url = `http://localhost:${port}/mcp`
  const all = Object.entries(scenarios).flatMap(([version, names]) => names.map((name) => [version, name] as const))

  it.each(all)('passes in revision %s: %s', async (version, name) => {
    const args = ['server', '--url', url, '--scenario', name, '--spec-version', version]
    const { stdout } = await run(node, [conformance, ...args], { timeout: 60_000 })
    expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/)
  })
})
