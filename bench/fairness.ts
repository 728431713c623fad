import { setTimeout as pause } from 'node:timers/promises'
import { createApp } from '../src/server/app.ts'
import { createTestProgram, graphqlClient, type TestProgram } from '../test/support/app.ts'
import { createBenchDatabase, log } from './database.ts'
import { median } from './measure.ts'

export const summary = 'What a quiet program waits while another floods the service with queries that are allowed.'
export const unit = 'seconds'
export const defaultSize = 10

const floodConnections = 100
const pauseMs = 20
const adminToken = 'operator-token-of-the-bench'
const floodQuery =
  '{ affiliates(first: 100) { nodes { id email campaign { name } links(first: 5) { nodes { id url } } } } }'

type Service = ReturnType<typeof createApp>

async function createFilled(app: Service, affiliates: number): Promise<TestProgram> {
  const operator = graphqlClient(app.fetch, { Authorization: `Bearer ${adminToken}` })
  const program = await createTestProgram(app.fetch, operator, {})
  const csv = ['email', ...Array.from({ length: affiliates }, (_, n) => `affiliate-${n}@example.com`)].join('\n')
  const query = 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv }) { created } }'
  await program.graphql(query, { csv })
  return program
}

/** How long the requests of a quiet client take, in milliseconds. */
async function measureQuiet(program: TestProgram, seconds: number): Promise<number[]> {
  const times: number[] = []
  for (const until = performance.now() + seconds * 1_000; performance.now() < until; ) {
    const startedAt = performance.now()
    const { status } = await program.get('/affiliates')
    if (status !== 200) throw new Error(`The quiet program got a ${status}.`)
    times.push(performance.now() - startedAt)
    await pause(pauseMs)
  }
  return times
}

const told = (times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] as number).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${sorted.length} requests`
}

export async function run(seconds: number): Promise<void> {
  const { drop, ...database } = await createBenchDatabase()
  const app = createApp({ database, adminToken, publicUrl: () => 'http://localhost', log })
  try {
    const [quiet, flooding] = [await createFilled(app, 50), await createFilled(app, 500)]
    const alone = await measureQuiet(quiet, seconds)
    let isOver = false
    let answered = 0
    const flood = Array.from({ length: floodConnections }, async () => {
      for (; !isOver; answered += 1) await flooding.graphql(floodQuery)
    })
    const during = await measureQuiet(quiet, seconds)
    isOver = true
    await Promise.all(flood)
    console.log(`${database.kind}, the quiet program alone: ${told(alone)}`)
    console.log(`while another floods (${(answered / seconds).toFixed(0)} queries/s): ${told(during)}`)
    console.log(`p50 is ${(median(during) / median(alone)).toFixed(1)} times the quiet one`)
  } finally {
    app.stop()
    await drop()
  }
}
