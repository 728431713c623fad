import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildASTSchema, type DocumentNode, type GraphQLSchema, Kind, parse, print } from 'graphql'

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

/** Files of a typed client: the schema, the operations, fragments that operations can use, and an output `…/graphql.ts`. */
type ClientFiles = { schema: string; operations: string; fragments?: string; output: string }

/**
 * Generates TypeScript types for the operations of a page, with the operations as strings. It throws if an operation does
 * not fit the schema, so that the build fails.
 */
export async function writeTypedClient({ schema, operations, fragments, output }: ClientFiles): Promise<void> {
  const sdl = readFileSync(operations, 'utf8')
  const rawSDL = fragments ? `${sdl}\n${usedFragments(sdl, readFragments(fragments))}` : sdl
  writeOutput(output, await generateTypes(readSchema(schema), operations, rawSDL))
}

/** Generates `ActionInputs`: the type of the input of each mutation that takes one, by the mutation's name. */
export async function writeActionInputs(schemaFile: string, output: string): Promise<void> {
  const schema = readSchema(schemaFile)
  const mutations = Object.values(schema.schemaAst.getMutationType()?.getFields() ?? {}).flatMap(({ name, args }) => {
    const [input] = args
    return args.length === 1 && input?.name === 'input' ? [{ name, type: `${input.type}` }] : []
  })
  const rawSDL = mutations
    .map(({ name, type }) => `mutation ${name}($input: ${type}) { ${name}(input: $input) { __typename } }`)
    .join('\n')
  const types = await generateTypes(schema, output, rawSDL)
  const inputs = mutations.map(({ name, type }) => `  ${name}: ${type.replace('!', '')}`)
  // Views build these mutations themselves: see src/pages/dashboard/api/action.ts.
  const [inputTypes = ''] = types.replace(/^import .*\n/m, '').split('export class TypedDocumentString')
  writeOutput(output, `${inputTypes}export type ActionInputs = {\n${inputs.join('\n')}\n}\n`)
}

function writeOutput(output: string, text: string): void {
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(output, text)
}

type Fragments = ReadonlyMap<string, string>

const readFragments = (file: string): Fragments =>
  new Map(
    parse(readFileSync(file, 'utf8')).definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, print(definition)]] : [],
    ),
  )

/** The fragments that the operations use, and those that these use. */
function usedFragments(sdl: string, fragments: Fragments): string {
  const used = new Set<string>()
  const collect = (text: string) => {
    for (const [, name = ''] of text.matchAll(/\.\.\.(\w+)/g)) {
      const fragment = fragments.get(name)
      if (!fragment || used.has(fragment)) continue
      used.add(fragment)
      collect(fragment)
    }
  }
  collect(sdl)
  return [...used].join('\n')
}

async function generateTypes(schema: Schema, location: string, rawSDL: string): Promise<string> {
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: './',
    ...schema,
    documents: [{ location, rawSDL, document: parse(rawSDL) }],
    // Operations are sent as strings, so the page needs no GraphQL library.
    config: {
      documentMode: 'string',
      useTypeImports: true,
      enumType: 'string-literal',
      strictScalars: true,
      defaultScalarType: 'unknown',
      scalars: {
        ...{ DateTime: 'string', SafeInt: 'number', Currency: 'string', EmailAddress: 'string', URL: 'string' },
        EventType: 'string',
        EventData: 'Record<string, unknown>',
        JSONObject: 'Record<string, unknown>',
      },
    },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
  })
  // The preset's other files support operations inside template strings.
  const types = outputs.find(({ filename }) => filename.endsWith('graphql.ts'))
  if (!types) throw new Error('The client preset did not generate graphql.ts.')
  // The preset leaves `schemaAst` out, and the schema would be built and merged for each client.
  return codegen({ ...types, schemaAst: schema.schemaAst })
}
