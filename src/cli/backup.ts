import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { backUpDatabase } from '../database/backup.ts'
import { OperatorError } from '../database/operator-error.ts'
import { report } from './report.ts'

await report(async () => {
  const [file, ...rest] = process.argv.slice(2)
  if (!file || file.startsWith('-') || rest.length > 0) throw new OperatorError('Usage: npm run backup -- FILE')
  const { databaseUrl, dataDir } = readConfig(process.env)
  if (databaseUrl) {
    throw new OperatorError(
      'DATABASE_URL is set. Back up PostgreSQL with its own tool: pg_dump -Fc -f FILE "$DATABASE_URL"',
    )
  }
  const state = await backUpDatabase(dataDir, file, pino({ level: 'silent' }))
  const { size } = await stat(file)
  return `Backed up the database in ${resolve(dataDir)} (server ${state}) to ${resolve(file)}, ${size} bytes.`
})
