import { battery } from '../test/attacks/battery.ts'
import { sendRaw } from '../test/attacks/raw.ts'
import { createFilledDatabase } from './filled.ts'
import { residentMbOf } from './resident-memory.ts'
import { servers } from './servers.ts'

export const summary = 'The attacks of test/attacks: time to the answer, and memory. PostgreSQL only.'
export const unit = 'rounds'
export const defaultSize = 3

const goalMs = 100
const goalBytes = 64 * 1024
const goalMb = 50

export async function run(rounds: number): Promise<void> {
  const { databaseUrl, secret, drop } = await createFilledDatabase({ sales: 1_000, affiliates: 100 })
  const server = await servers.Tributary(databaseUrl)
  const port = Number(new URL(server.address).port)
  const best = new Map<string, { milliseconds: number; status: number; bytes: number }>()
  try {
    const before = await residentMbOf(server.pid)
    for (let round = 1; round <= rounds; round += 1) {
      for (const { name, parts } of battery) {
        const { milliseconds, status, text } = await sendRaw(port, parts(secret))
        const fastest = Math.min(milliseconds, best.get(name)?.milliseconds ?? Number.POSITIVE_INFINITY)
        best.set(name, { milliseconds: fastest, status, bytes: text.length })
      }
      const grown = (await residentMbOf(server.pid)) - before
      console.log(`after round ${round}: ${grown.toFixed(0)} MB more (goal ${goalMb})`)
    }
  } finally {
    await server.stop()
    await drop()
  }
  // The fastest of the rounds: other processes share the processor.
  const slow = [...best].filter(([, { milliseconds }]) => milliseconds > goalMs)
  const long = [...best].filter(([, { bytes }]) => bytes > goalBytes)
  const failed = [...best].filter(([, { status }]) => status >= 500 || status === 0)
  const slowest = Math.max(...[...best.values()].map(({ milliseconds }) => milliseconds))
  console.log(`${best.size} attacks, the slowest answered in ${slowest.toFixed(0)} ms (goal ${goalMs})`)
  for (const [name, { milliseconds, status, bytes }] of new Map([...slow, ...long, ...failed]))
    console.log(`  ${name}: ${status}, ${milliseconds.toFixed(0)} ms, ${bytes} bytes`)
}
