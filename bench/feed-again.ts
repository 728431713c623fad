import { deriveDue } from '../src/modules/feeds/derive/derive.ts'
import { rederiveFeed } from '../src/modules/feeds/events.ts'
import { createBenchDatabase, operatorCtx } from './database.ts'
import { createPrograms, storeEvents } from './feeds.ts'

export const summary =
  'Stored events of a billing system: derived, and derived again, as a dry run and really. In one process.'
export const unit = 'stored events'
export const defaultSize = 10_000

export async function run(size: number): Promise<void> {
  const { db, drop } = await createBenchDatabase()
  try {
    const { programId, feedId } = await createPrograms(db)
    await storeEvents(db, { programId, feedId, quietKey: '' }, size)
    await db.$executeRaw`analyze`
    const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
    const feed = await db.feed.findUniqueOrThrow({ where: { programId_id: { programId, id: feedId } } })
    const ctx = { ...operatorCtx(db), program, trueNow: () => new Date() }
    const measure = async (name: string, work: () => Promise<unknown>) => {
      const [startedAt, before] = [performance.now(), process.cpuUsage()]
      await work()
      const { user, system } = process.cpuUsage(before)
      const seconds = (performance.now() - startedAt) / 1_000
      console.log(
        `${name}: ${size} events in ${seconds.toFixed(1)} s (${(size / seconds).toFixed(0)} a second), CPU of node ${((user + system) / 1_000 / size).toFixed(2)} ms each`,
      )
    }
    await measure('derived', async () => {
      while ((await deriveDue(ctx, feed, new Date(Date.now() + 60_000))) > 0);
    })
    await db.$executeRaw`analyze`
    for (const dryRun of [true, false])
      await measure(dryRun ? 'again, dry' : 'again, really', async () => {
        let after: string | undefined
        do after = (await rederiveFeed(ctx, { feedId, dryRun, ...(after && { after }) })).next ?? undefined
        while (after !== undefined)
      })
  } finally {
    await drop()
  }
}
