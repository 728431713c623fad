import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildASTSchema, parse } from 'graphql'

/**
 * Writes what the operations of a page answer, in TypeScript, with the operations as text. It throws where one does not
 * fit the schema, so that a page that asks for what is not there is not built.
 *
 * @param files the schema, the page's operations, and where to write to: a path that ends in `/graphql.ts`
 */
export async function writeTypedClient(files: { schema: string; operations: string; output: string }): Promise<void> {
  const schema = parse(readFileSync(files.schema, 'utf8'))
  const rawSDL = readFileSync(files.operations, 'utf8')
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: `${dirname(files.output)}/`,
    schema,
    schemaAst: buildASTSchema(schema),
    documents: [{ location: files.operations, rawSDL, document: parse(rawSDL) }],
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
  mkdirSync(dirname(files.output), { recursive: true })
  writeFileSync(files.output, await codegen(types))
}
