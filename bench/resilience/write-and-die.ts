import { pino } from 'pino'
import { openDatabase } from '../../src/database/open.ts'
import { createProgram } from '../../src/modules/programs/service.ts'

// Writes rows into the embedded database of a directory, and kills itself.

const [dataDir = '', rows = '0'] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const { db } = await openDatabase({ dataDir, log })
const ctx = { db, now: () => new Date(), log, requestId: 'resilience', actor: { kind: 'operator' } as const }
const { id } = await createProgram(ctx, { name: 'Restart', url: 'https://acme.test', currency: 'usd' })
const batch = 5_000
for (let n = 0; n < Number(rows); n += batch) {
  await db.$executeRaw`
    insert into customers (program_id, id, email, email_key, created_at, updated_at)
    select ${id}::uuid, gen_random_uuid(), n || '@b.test', n || '@b.test', now(), now()
    from generate_series(${n}::int, ${n + batch - 1}::int) n`
}
process.kill(process.pid, 'SIGKILL')
