// Packs a database as `initdb` leaves it. A first start unpacks it in a fraction of the seconds that initdb takes, and an
// image brings it along; where it is missing, the start runs initdb itself (src/database/embedded-folder.ts).
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
