import { existsSync } from 'node:fs'
import { defineConfig } from 'prisma/config'

// `prisma generate` requires a schema engine but never runs it. Any existing file works, so nothing is downloaded.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= existsSync('package.json') ? 'package.json' : process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } })
