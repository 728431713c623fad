// For schema.graphql alone; the code is Biome's. GraphQL-ESLint's rules for schemas and for Relay, and the exceptions.
import { readFileSync } from 'node:fs'
import graphql from '@graphql-eslint/eslint-plugin'
import { Kind, parse } from 'graphql'

/**
 * What is made at a moment (`createdAt`) is a resource and has an id; other types are values and answers, without one.
 *
 * @param {string} sdl
 */
const withoutIdentity = (sdl) =>
  parse(sdl)
    .definitions.filter(({ kind }) => kind === Kind.OBJECT_TYPE_DEFINITION)
    .filter(({ fields = [] }) => !fields.some(({ name }) => name.value === 'createdAt'))
    .map(({ name }) => name.value)

/** @param {string} sdl a schema in GraphQL's words */
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
    // `nodes` beside `edges` spares a level to a client that needs no cursors; so lists may hold more than edges.
    '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
    // Of fields only those of the root: a description that says the name again is none (createdAt, email).
    '@graphql-eslint/require-description': ['error', { types: true, DirectiveDefinition: true, rootField: true }],
    // Connections have to have it; a schema without them need not.
    '@graphql-eslint/relay-page-info': /^type \w+Connection\b/m.test(sdl) ? 'error' : 'off',
    '@graphql-eslint/input-name': ['error', { checkInputType: true, caseSensitiveInputType: false }],
  },
})

export default [rulesFor(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'))]
