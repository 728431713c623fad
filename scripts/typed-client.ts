import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildASTSchema, type DocumentNode, type GraphQLSchema, parse } from 'graphql'

type Schema = { schema: DocumentNode; schemaAst: GraphQLSchema }

/** Parsed once: the dashboard alone has a client for each view. */
const schemas = new Map<string, Schema>()

function readSchema(file: string): Schema {
  const known = schemas.get(file)
  if (known) return known
  const schema = parse(readFileSync(file, 'utf8'), { noLocation: true })
  const read = { schema, schemaAst: buildASTSchema(schema) }
  schemas.set(file, read)
  return read
}

/**
 * Generates TypeScript types for the operations of a page, with the operations as strings. It throws if an operation does
 * not fit the schema, so that the build fails.
 *
 * @param files the schema, the page's operations, and the output: a path that ends in `/graphql.ts`
 */
export async function writeTypedClient(files: { schema: string; operations: string; output: string }): Promise<void> {
  const rawSDL = readFileSync(files.operations, 'utf8')
  const schema = readSchema(files.schema)
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: `${dirname(files.output)}/`,
    ...schema,
    documents: [{ location: files.operations, rawSDL, document: parse(rawSDL) }],
    // Operations are sent as strings, so the page needs no GraphQL library.
    config: {
      documentMode: 'string',
      useTypeImports: true,
      enumType: 'string-literal',
      strictScalars: true,
      defaultScalarType: 'unknown',
      scalars: {
        ...{ DateTime: 'string', SafeInt: 'number', Currency: 'string', EmailAddress: 'string', URL: 'string' },
        EventData: 'Record<string, unknown>',
        JSONObject: 'Record<string, unknown>',
      },
    },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
  })
  // The preset's other files support operations inside template strings.
  const types = outputs.find(({ filename }) => filename.endsWith('/graphql.ts'))
  if (!types) throw new Error('The client preset did not generate graphql.ts.')
  mkdirSync(dirname(files.output), { recursive: true })
  // The preset leaves `schemaAst` out, and the schema would be built and merged for each client.
  writeFileSync(files.output, await codegen({ ...types, schemaAst: schema.schemaAst }))
}
