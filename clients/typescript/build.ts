import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generate } from './generate.ts'

// Makes what `npm pack` packs: the types, the JavaScript, and the GraphQL schema.

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

generate()
rmSync(pathOf('dist'), { recursive: true, force: true })
execFileSync(process.execPath, [pathOf('../../node_modules/typescript/bin/tsc'), '-p', pathOf('tsconfig.json')], {
  stdio: 'inherit',
})
copyFileSync(pathOf('../../schema.graphql'), pathOf('schema.graphql'))
