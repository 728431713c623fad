import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { openDatabase } from '../../src/database/open.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { programNames } from './program-names.ts'

// Opens the database of DATA_DIR or DATABASE_URL and prints "ready". With the argument "write" it then adds programs one
// by one, and prints the id of each acknowledged one.
const log = pino({ level: 'silent' })
try {
  const options = { dataDir: process.env.DATA_DIR ?? '', databaseUrl: process.env.DATABASE_URL, log }
  const { db, close } = await openDatabase(options)
  console.log('ready')
  const isWriting = process.argv[2] === 'write'
  process.on('SIGTERM', () => void close().then(() => process.exit(0)))
  setInterval(() => {}, 1_000)
  for (let n = 1; isWriting; n += 1) {
    const at = new Date()
    const id = mintId(at)
    await db.$transaction(async (tx) => {
      const program = {
        id,
        name: `program ${n}`,
        url: 'https://example.com',
        currency: 'eur',
        ...programNames(),
        createdAt: at,
        updatedAt: at,
      }
      await tx.program.create({ data: program })
      await tx.program.update({ where: { id }, data: { name: `written ${n}` } })
    })
    console.log(`acknowledged ${id}`)
    await pause(2)
  }
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
