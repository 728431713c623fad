import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildASTSchema, parse } from 'graphql'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = here('page/generated/')

/**
 * Writes what page/operations.graphql answers, in TypeScript, into page/generated. It throws where an operation is not one
 * of schema.graphql, so that a page that asks for what is not there is not built.
 */
export async function generate(): Promise<void> {
  const schema = parse(readFileSync(here('../../schema.graphql'), 'utf8'))
  const location = here('page/operations.graphql')
  const rawSDL = readFileSync(location, 'utf8')
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: folder,
    schema,
    schemaAst: buildASTSchema(schema),
    documents: [{ location, rawSDL, document: parse(rawSDL) }],
    // Operations are sent as text: the page needs no GraphQL library.
    config: {
      documentMode: 'string',
      useTypeImports: true,
      enumType: 'string-literal',
      strictScalars: true,
      defaultScalarType: 'unknown',
      scalars: { DateTime: 'string', SafeInt: 'number', Currency: 'string', EmailAddress: 'string', URL: 'string' },
    },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
  })
  // The preset's other files are for operations inside the code, between backticks.
  const types = outputs.find(({ filename }) => filename.endsWith('/graphql.ts'))
  if (!types) throw new Error('The client preset writes no graphql.ts any more.')
  mkdirSync(folder, { recursive: true })
  writeFileSync(types.filename, await codegen(types))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await generate()
