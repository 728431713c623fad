import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { OperatorError } from '../database/operator-error.ts'
import { restoreDatabase } from '../database/restore.ts'
import { report } from './report.ts'

await report(async () => {
  const { file, force } = readArguments()
  const { databaseUrl, dataDir } = readConfig(process.env)
  if (databaseUrl) {
    throw new OperatorError(
      'DATABASE_URL is set. Restore PostgreSQL with its own tool: pg_restore --clean --if-exists -d "$DATABASE_URL" FILE',
    )
  }
  const { folder, keptAs } = await restoreDatabase(dataDir, file, force, new Date())
  return `Restored ${file} to ${folder}.${keptAs ? ` The previous database is in ${keptAs}.` : ''}`
})

function readArguments(): { file: string; force: boolean } {
  const usage = new OperatorError('Usage: npm run restore -- FILE [--force]')
  try {
    const { values, positionals } = parseArgs({ options: { force: { type: 'boolean' } }, allowPositionals: true })
    const [file] = positionals
    if (!file || positionals.length > 1) throw usage
    return { file, force: values.force ?? false }
  } catch {
    throw usage
  }
}
