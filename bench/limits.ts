import { createApp } from '../src/server/app.ts'
import { hostileQueries } from '../test/support/hostile.ts'
import { createBenchDatabase, log } from './database.ts'
import { median } from './measure.ts'

export const summary = 'The rejection of hostile queries against a plain query.'
export const unit = 'runs of each query'
export const defaultSize = 9

type Measurement = { ms: number; text: string; status: number }

export async function run(runs: number): Promise<void> {
  const adminToken = 'operator-token-of-the-bench'
  const { drop, ...database } = await createBenchDatabase()
  const app = createApp({ database, adminToken, publicUrl: () => 'http://localhost', log })

  const send = async (body: object): Promise<Measurement> => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
    const request = new Request('http://localhost/graphql', { method: 'POST', headers, body: JSON.stringify(body) })
    const startedAt = performance.now()
    const response = await app.fetch(request)
    const text = await response.text()
    return { ms: performance.now() - startedAt, text, status: response.status }
  }
  // A different comment each time bypasses the cache of parsed queries.
  const measure = async ({ query, ...rest }: { query: string }): Promise<Measurement & { slowest: number }> => {
    const measured: Measurement[] = []
    for (let n = 0; n < runs; n++) measured.push(await send({ ...rest, query: `#${performance.now()}\n${query}` }))
    const times = measured.map(({ ms }) => ms)
    return { ...(measured[0] as Measurement), ms: median(times), slowest: Math.max(...times) }
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
    app.stop()
    await drop()
  }
}
