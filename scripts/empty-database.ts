// Packs an empty database with the schema of this version. A first start extracts it, which takes a small part of the time of initdb
// and the migrations. If the file is missing, the start does both (src/database/embedded/folder.ts).
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { pino } from 'pino'
import { extensions } from '../src/database/embedded/extensions.ts'
import { applyMigrations } from '../src/database/migrations/migrate.ts'
import { embeddedTarget } from '../src/database/migrations/targets.ts'

const file = process.argv[2] ?? 'dist/empty-database.tar.gz'

/** Files in memory, which are packed when the database was shut down: so it needs no recovery when it is opened. */
class PackedFS extends MemoryFS {
  packed: Blob | undefined

  override async closeFs(): Promise<void> {
    this.packed = await this.dumpTar('', 'none')
    await super.closeFs()
  }
}

const fs = new PackedFS()
const pglite = await PGlite.create({ fs, extensions })
await applyMigrations(embeddedTarget(pglite), { log: pino({ level: 'silent' }) })
// No database is created from the templates. They are two thirds of the files, each of which a start forces to disk.
await pglite.exec('update pg_database set datistemplate = false where datistemplate')
for (const template of ['template0', 'template1']) await pglite.exec(`drop database ${template}`)
await pglite.close()
if (!fs.packed) throw new Error('PGlite was closed without its file system.')
mkdirSync(dirname(file), { recursive: true })
writeFileSync(`${file}.partial`, gzipSync(await fs.packed.arrayBuffer(), { level: 4 }))
renameSync(`${file}.partial`, file)
// Prisma's schema engine leaves a timer of ten seconds, for which the process would wait.
process.exit()
