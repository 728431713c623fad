// How long it takes to refuse a query that asks for too much, against a plain query that is answered
// in the same run. Each is read anew each time. Everything goes through the service as a request does.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { createApp } from '../src/server/app.ts'
import { hostileQueries } from '../test/support/hostile.ts'

const rounds = Number(process.argv[2] ?? 9)
const adminToken = 'operator-token-of-the-bench'
const log = pino({ level: 'silent' })
const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
const database = await openDatabase({ dataDir, databaseUrl: undefined, log })
const app = createApp({ database, adminToken, publicUrl: () => 'http://localhost', log })

type Asked = { ms: number; text: string; status: number }

async function ask(body: object): Promise<Asked> {
  const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
  const request = new Request('http://localhost/graphql', { method: 'POST', headers, body: JSON.stringify(body) })
  const startedAt = performance.now()
  const response = await app.fetch(request)
  const text = await response.text()
  return { ms: performance.now() - startedAt, text, status: response.status }
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number

/** Each time with another comment in it, so that it is read anew. */
async function measure({ query, ...rest }: { query: string }): Promise<Asked & { slowest: number }> {
  const asked: Asked[] = []
  for (let n = 0; n < rounds; n++) asked.push(await ask({ ...rest, query: `#${performance.now()}\n${query}` }))
  const times = asked.map(({ ms }) => ms)
  return { ...(asked[0] as Asked), ms: median(times), slowest: Math.max(...times) }
}

try {
  const plainQuery = { query: '{ programs { id name url currency createdAt updatedAt } }' }
  await measure(plainQuery)
  const plain = await measure(plainQuery)
  if (!plain.text.startsWith('{"data":{"programs":[')) throw new Error(`The plain query failed: ${plain.text}`)
  console.log(`a plain query: ${plain.ms.toFixed(1)} ms`)
  for (const [name, { body }] of Object.entries(hostileQueries)) {
    const { ms, slowest, text, status } = await measure(body)
    const ratio = (ms / plain.ms).toFixed(1)
    const times = `${ms.toFixed(1)} ms (${ratio} plain queries), slowest ${slowest.toFixed(1)} ms`
    console.log(`  ${name}: ${status}, ${times}, ${text.length} characters`)
  }
} finally {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
}
