// Writes src/gql from ../../schema.graphql and the operations of the page: their results and variables as types.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildSchema, parse } from 'graphql'

const here = dirname(fileURLToPath(import.meta.url))
const location = join(here, 'src/portal.graphql')
const rawSDL = readFileSync(location, 'utf8')
const sdl = readFileSync(join(here, '../../schema.graphql'), 'utf8')
const baseOutputDir = `${join(here, 'src/gql')}/`

const files = await preset.buildGeneratesSection({
  baseOutputDir,
  schema: parse(sdl),
  schemaAst: buildSchema(sdl),
  documents: [{ location, rawSDL, document: parse(rawSDL) }],
  plugins: [],
  pluginMap: {},
  presetConfig: { fragmentMasking: false },
  config: {
    documentMode: 'string',
    useTypeImports: true,
    importExtension: '.ts',
    strictScalars: true,
    scalars: { DateTime: 'string', SafeInt: 'number', Currency: 'string', EmailAddress: 'string', URL: 'string' },
    defaultScalarType: 'string',
  },
})
rmSync(baseOutputDir, { recursive: true, force: true })
mkdirSync(baseOutputDir, { recursive: true })
for (const file of files) if (file.filename.endsWith('graphql.ts')) writeFileSync(file.filename, await codegen(file))
