import { existsSync } from 'node:fs'
import { defineConfig } from 'prisma/config'

// `prisma generate` requires a schema engine but never runs it. Any existing file works, so nothing is downloaded.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= existsSync('package.json') ? 'package.json' : process.execPath

// Otherwise each run of the command line asks Prisma's server for a newer version, and reports this one.
process.env.CHECKPOINT_DISABLE ??= '1'

export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } })
