// Packs an empty database with all migrations applied. A first start extracts it, which takes a third of the time of initdb
// and the migrations. If the file is missing, the start does both (src/database/embedded-folder.ts).
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { pino } from 'pino'
import { writeArchive } from '../src/database/archive.ts'
import { extensions } from '../src/database/extensions.ts'
import { applyMigrations } from '../src/database/migrate.ts'
import { embeddedTarget } from '../src/database/migration-targets.ts'

const file = process.argv[2] ?? 'dist/empty-database.tar.gz'

const folder = await mkdtemp(join(tmpdir(), 'tributary-empty-'))
try {
  const pglite = await PGlite.create({ fs: new NodeFS(folder), extensions })
  await applyMigrations(embeddedTarget(pglite), { log: pino({ level: 'silent' }) })
  // A database that was shut down needs no recovery when it is opened.
  await pglite.close()
  await mkdir(dirname(file), { recursive: true })
  await writeArchive(folder, createWriteStream(`${file}.partial`))
  await rename(`${file}.partial`, file)
} finally {
  await rm(folder, { recursive: true, force: true })
}
