// Packs the empty database that `initdb` creates. A first start extracts it, which is faster than initdb. If the file is
// missing, the start runs initdb (src/database/embedded-folder.ts).
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'

const file = process.argv[2] ?? 'dist/empty-database.tar.gz'

const pglite = await PGlite.create()
const archive = await pglite.dumpDataDir('none')
await pglite.close()
mkdirSync(dirname(file), { recursive: true })
writeFileSync(`${file}.partial`, gzipSync(await archive.arrayBuffer(), { level: 1 }))
renameSync(`${file}.partial`, file)
