// Generates clients from both OpenAPI documents with four generators, compiles them, and parses the example bodies of the
// documents with the schemas of one of them; calls.test.ts calls each operation. The packages are in this folder, so that the
// project's own stay few.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createOpenApiDocument } from '../../src/rest/openapi/document.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const inFolder = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })

const kubbConfig = (profile: string) => `
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
export default defineConfig({
  root: '.',
  input: { path: './out/${profile}.json' },
  output: { path: './out/${profile}/kubb' },
  plugins: [pluginOas({ validate: false }), pluginTs(), pluginClient({ client: 'fetch' })],
})
`

inFolder('npm', 'ci', '--no-audit', '--no-fund', '--silent')
rmSync(`${folder}out`, { recursive: true, force: true })
mkdirSync(`${folder}out`)
for (const profile of ['contract', 'superset'] as const) {
  const document = createOpenApiDocument('http://127.0.0.1:4000', profile, 'all')
  const [input, output] = [`out/${profile}.json`, `out/${profile}`]
  writeFileSync(folder + input, JSON.stringify(document))
  writeFileSync(`${folder}out/kubb.${profile}.config.mjs`, kubbConfig(profile))
  inFolder('npx', 'openapi-typescript', input, '-o', `${output}/openapi-typescript/schema.ts`)
  const plugins = ['-p', '@hey-api/sdk', 'zod']
  inFolder(
    'npx',
    'openapi-ts',
    '-i',
    `./${input}`,
    '-o',
    `${output}/hey-api`,
    '-c',
    '@hey-api/client-fetch',
    ...plugins,
  )
  inFolder('npx', 'orval', '--input', `./${input}`, '--output', `./${output}/orval/api.ts`, '--client', 'fetch')
  inFolder('npx', 'kubb', 'generate', '--config', `out/kubb.${profile}.config.mjs`)
  const schemas = await import(pathToFileURL(`${folder}${output}/hey-api/zod.gen.ts`).href)
  let parsed = 0
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { schema, example } = (operation as any).requestBody?.content['application/json'] ?? {}
      if (!schema) continue
      const { success, error } = schemas[`z${schema.$ref.split('/').at(-1)}`].safeParse(example)
      if (!success) throw new Error(`${profile}: ${method} ${path}: ${error}`)
      parsed += 1
    }
  console.log(`${profile}: four clients were generated; ${parsed} example bodies are valid in that of hey-api.`)
}
inFolder('npx', 'tsc', '-p', '.')
console.log('All clients compile.')
