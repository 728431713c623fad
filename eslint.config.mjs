// Lints schema.graphql with GraphQL-ESLint's rules for schemas and for Relay. Biome lints the code.
import { readFileSync } from 'node:fs'
import graphql from '@graphql-eslint/eslint-plugin'
import { Kind, parse } from 'graphql'

/**
 * Types that need no id. Types with `createdAt` are resources and have one; all others are values and results.
 *
 * @param {string} sdl
 */
const withoutIdentity = (sdl) =>
  parse(sdl)
    .definitions.filter(({ kind }) => kind === Kind.OBJECT_TYPE_DEFINITION)
    .filter(({ fields = [] }) => !fields.some(({ name }) => name.value === 'createdAt'))
    .map(({ name }) => name.value)

/** @param {string} sdl a schema in the GraphQL schema definition language */
export const rulesFor = (sdl) => ({
  files: ['**/*.graphql'],
  plugins: { '@graphql-eslint': graphql },
  languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: sdl } } },
  linterOptions: { noInlineConfig: true },
  rules: {
    ...graphql.configs['flat/schema-recommended'].rules,
    ...graphql.configs['flat/schema-relay'].rules,
    '@graphql-eslint/no-scalar-result-type-on-mutation': 'error',
    '@graphql-eslint/require-type-pattern-with-oneof': 'error',
    '@graphql-eslint/require-nullable-fields-with-oneof': 'error',
    '@graphql-eslint/strict-id-in-types': ['error', { exceptions: { types: withoutIdentity(sdl) } }],
    // The builder leaves out types that no field reaches. The only one beside them is `ErrorCode`, which errors have.
    '@graphql-eslint/no-unreachable-types': 'off',
    // `nodes` saves clients that need no cursors a level, so lists may have other item types than edges. A test of the
    // schema says which edges have values that are no `Node`.
    '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
    '@graphql-eslint/require-description': [
      'error',
      {
        types: true,
        DirectiveDefinition: true,
        EnumValueDefinition: true,
        FieldDefinition: true,
        // Fields of inputs, and arguments.
        InputValueDefinition: true,
      },
    ],
    // Required if the schema has connections.
    '@graphql-eslint/relay-page-info': /^type \w+Connection\b/m.test(sdl) ? 'error' : 'off',
    '@graphql-eslint/input-name': ['error', { checkInputType: true, caseSensitiveInputType: false }],
  },
})

export default [rulesFor(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'))]
