import { type DocumentNode, GraphQLScalarType, type GraphQLSchema, Kind, type TypeNode } from 'graphql'
import { memoize } from '../kernel/memoize.ts'

const coerced = new GraphQLScalarType({ name: 'Coerced' })
/** Under this name, a schema has no type: it is not a name of GraphQL. */
const name = ' coerced'
const type: TypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } }

type Typed = { schema: GraphQLSchema; document: DocumentNode }
const known = new WeakMap<DocumentNode, Typed>()

/** The same document for coerced variables, whose types are replaced: coercing them again is a no-op. */
export function withCoercedVariables(schema: GraphQLSchema, document: DocumentNode): Typed {
  const before = known.get(document)
  if (before?.schema === withCoerced(schema)) return before
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? {
          ...definition,
          variableDefinitions: definition.variableDefinitions?.map(({ kind, variable }) => ({ kind, variable, type })),
        }
      : definition,
  )
  const typed = { schema: withCoerced(schema), document: { ...document, definitions } }
  known.set(document, typed)
  return typed
}

/** The schema with one more type, which introspection does not list. */
const withCoerced = memoize(
  (schema: GraphQLSchema): GraphQLSchema =>
    Object.create(schema, {
      getType: { value: (asked: string) => (asked === name ? coerced : schema.getType(asked)) },
    }),
)
