import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findMigrationsFolder } from '../src/database/migrations/files.ts'
import { diffMigrations, findUnwritten } from '../src/database/migrations/schema-diff.ts'
import { migrationLock } from '../src/database/migrations/schema-engine.ts'
import { describeCause, OperatorError } from '../src/database/operator-error.ts'

/** npm run migration -- NAME writes the next migration; npm run migration -- --check fails if one is missing. */
async function main(argument: string | undefined): Promise<void> {
  if (argument === '--check') return await check()
  if (!argument || !/^[a-z][a-z0-9_]*$/.test(argument)) {
    throw new OperatorError('Usage: npm run migration -- name_of_the_change, or: npm run migration -- --check')
  }
  const script = await diffMigrations()
  if (script === undefined) return console.log('The migrations match prisma/schema.prisma; nothing to write.')
  const folder = findMigrationsFolder()
  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const target = join(folder, `${timestamp}_${argument}`)
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'migration.sql'), script)
  writeFileSync(join(folder, 'migration_lock.toml'), migrationLock)
  console.log(`Wrote ${relative(process.cwd(), target)}/migration.sql. Review it before you commit it.`)
}

async function check(): Promise<void> {
  const script = await diffMigrations()
  if (script !== undefined) {
    throw new OperatorError(
      `prisma/schema.prisma has changes without a migration; run npm run migration -- NAME.\n${script}`,
    )
  }
  const unwritten = await findUnwritten()
  if (unwritten.length > 0)
    throw new OperatorError(`The database has what no file of prisma/sql names:\n${unwritten.join('\n')}`)
  console.log('The migrations match prisma/schema.prisma.')
  console.log('The files of prisma/sql name all functions, triggers, views and policies of the database.')
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : describeCause(error))
  process.exitCode = 1
}
// The in-memory engine keeps the process alive.
process.exit()
