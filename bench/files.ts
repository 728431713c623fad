import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createAffiliate } from '../src/modules/affiliates/create.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { recordVisit } from '../src/modules/referrals/service.ts'
import { createApp } from '../src/server/app.ts'
import { createBenchDatabase, log, operatorCtx } from './database.ts'
import { affiliatesQuery } from './scenarios.ts'

export const summary = 'The files of src that one warm request runs, by the precise coverage of V8.'
export const unit = 'requests of each kind before it counts'
export const defaultSize = 20

const goals: Record<string, number> = { 'a sale': 50, 'a list': 45, 'a GraphQL query': 40 }

/** A file counts if it ran in each of these: so what runs at times, in the background, does not. */
const counted = 5

export async function run(warmUp: number): Promise<void> {
  const { drop, ...database } = await createBenchDatabase()
  const app = createApp({
    database,
    adminToken: 'operator-token-of-the-bench',
    publicUrl: () => 'http://localhost',
    log,
  })
  const server = createServer(app.handle).listen(0, '127.0.0.1')
  const session = new Session()
  session.connect()
  try {
    const ctx = operatorCtx(database.db)
    const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
    const { secret } = await createApiKey(ctx, program.id, { name: 'Bench' })
    const programCtx = { ...ctx, program }
    await createAffiliate(programCtx, { email: 'ada@example.com', token: 'ada' })
    const referral = await recordVisit(programCtx, { token: 'ada' })
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
    const send = async (path: string, body?: object) => {
      const { port } = server.address() as AddressInfo
      const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, request)
      const text = await response.text()
      if (!response.ok || text.includes('"errors"')) throw new Error(`${path}: ${response.status} ${text}`)
    }
    let sales = 0
    const requests: Record<string, () => Promise<void>> = {
      'a sale': () => {
        sales += 1
        return send('/v1/conversions', { referral_id: referral.id, amount_cents: 4900, external_id: `sale-${sales}` })
      },
      'a list': () => send('/v1/affiliates?limit=25'),
      'a GraphQL query': () => send('/graphql', { query: '{ affiliates(first: 25) { nodes { id email state } } }' }),
      'a GraphQL query with lists below': () => send('/graphql', { query: affiliatesQuery }),
    }
    await session.post('Debugger.enable')
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    for (const [name, request] of Object.entries(requests)) {
      for (let n = 0; n < warmUp; n += 1) await request()
      const runs: Map<string, Set<string>>[] = []
      for (let n = 0; n < counted; n += 1) {
        await session.post('Profiler.takePreciseCoverage')
        await request()
        runs.push(await functionsRun(session))
      }
      const [first = new Map<string, Set<string>>(), ...others] = runs
      const files = [...first].filter(([file]) => others.every((other) => other.has(file))).sort()
      const functions = files.reduce((sum, [, names]) => sum + names.size, 0)
      console.log(`\n${name}: ${files.length} files, ${functions} functions (goal: ${goals[name] ?? 'none'})`)
      for (const [file, names] of files) console.log(`  ${file}: ${[...names].join(', ')}`)
    }
  } finally {
    session.disconnect()
    server.close()
    server.closeAllConnections()
    app.stop()
    await drop()
  }
}

/** The functions that ran since coverage was read last, by their file of src. */
async function functionsRun(session: Session): Promise<Map<string, Set<string>>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = new Map<string, Set<string>>()
  for (const { url, scriptId, functions } of result) {
    if (!url.startsWith('file:')) continue
    const file = relative('.', fileURLToPath(url))
    if (!file.startsWith('src/') || file.startsWith('src/generated/')) continue
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
    const names = functions
      .filter(({ ranges, functionName }) => (ranges[0]?.count ?? 0) > 0 && functionName !== '__name')
      .map(({ ranges, functionName }) => functionName || nameAfter(scriptSource, ranges[0]?.endOffset))
    if (names.length > 0) files.set(file, new Set(names))
  }
  return files
}

/** The compiler of the benchmarks names arrow functions in a call around them: `__name(() => 1, "one")`. */
const nameAfter = (source: string, end = 0): string =>
  /^,\s*"([^"]+)"\)/.exec(source.slice(end, end + 100))?.[1] ?? '(unnamed)'
