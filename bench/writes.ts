import { measureAll, withPeers } from './peers.ts'
import { tableOf } from './results.ts'

export const summary = 'Reported sales and visits against the same statements by hand. PostgreSQL only.'
export const unit = 'sales in the database'
export const defaultSize = 10_000

export async function run(sales: number): Promise<void> {
  await withPeers(['Tributary', 'fastify + pg'], sales, async (bench, scenarios) => {
    const writes = scenarios.filter(({ facts }) => facts === null)
    console.log(`\n${tableOf(await measureAll(bench, writes))}`)
  })
}
