import fc from 'fast-check'
import {
  execute as executeInterpreted,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql'
import { expect, it } from 'vitest'
import { execute } from '../../src/execution/execute.ts'
import { addCheck } from '../../src/execution/field-access.ts'

/** The values of a tree's fields. A function is a resolver: it may return, throw, or do either later. */
type Tree = Record<string, unknown>

const read = (name: string) => (source: unknown) => {
  const value = (source as Tree)[name]
  return typeof value === 'function' ? value() : value
}

const node: GraphQLInterfaceType = new GraphQLInterfaceType({
  name: 'Node',
  fields: { text: { type: GraphQLString } },
  resolveType: (value) => (value as Tree).typeName as string,
})

const nullable: Record<string, () => GraphQLOutputType> = {
  text: () => GraphQLString,
  number: () => GraphQLInt,
  tree: () => tree,
  node: () => node,
  trees: () => new GraphQLList(tree),
  strictTrees: () => new GraphQLList(new GraphQLNonNull(tree)),
  texts: () => new GraphQLList(new GraphQLNonNull(GraphQLString)),
}

/** Each field in four forms: with and without null, as a column that Pothos exposes and with a resolver. */
const tree: GraphQLObjectType = new GraphQLObjectType({
  name: 'Tree',
  interfaces: [node],
  fields: () =>
    Object.fromEntries(
      Object.entries(nullable).flatMap(([name, type]) => {
        const column = (source: unknown) => (source as Tree)[`column_${name}`]
        // As the plugins of the schema builder wrap it.
        const resolve = addCheck('client gone', column, (source: unknown) => column(source), column)
        const exposed = { resolve, extensions: { pothosExposedField: `column_${name}` } }
        return [
          [name, { type: type(), resolve: read(name) }],
          [`${name}Strict`, { type: new GraphQLNonNull(type()), resolve: read(name) }],
          [`${name}Column`, { type: type(), ...exposed }],
          [`${name}ColumnStrict`, { type: new GraphQLNonNull(type()), ...exposed }],
        ]
      }),
    ),
})

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { tree: { type: tree, resolve: (root) => root } } }),
  types: [tree],
})

const leaf = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b') },
  fc.constantFrom(null, undefined, 1, 1.5, new Error('value')),
)
type Way = 'now' | 'later' | 'throws' | 'rejects'
const ways: readonly Way[] = ['now', 'later', 'throws', 'rejects']
/** In a list, GraphQL leaves rejections unhandled when an item before them throws. */
const waysInList: readonly Way[] = ['now', 'throws']

const plain = (depth: number, allowed: readonly Way[]): fc.Arbitrary<Record<string, unknown>> => {
  const nothing = fc.constantFrom(null, new Error('deep'))
  const treeIn = (way: readonly Way[]): fc.Arbitrary<unknown> =>
    depth === 0 ? nothing : fc.oneof({ weight: 4, arbitrary: treeOf(depth - 1, way) }, fc.constant(null))
  const below = treeIn(allowed)
  const item = treeIn(waysInList)
  return fc.record({
    text: leaf,
    number: leaf,
    tree: below,
    node: below,
    trees: fc.oneof(fc.array(item, { maxLength: 3 }), fc.constantFrom(null, 5)),
    strictTrees: fc.oneof(fc.array(item, { maxLength: 3 }), fc.constant(null)),
    texts: fc.oneof(fc.array(leaf, { maxLength: 3 }), fc.constant(null)),
  })
}

const treeOf = (depth: number, allowed = ways): fc.Arbitrary<Tree> =>
  fc
    .tuple(
      plain(depth, allowed),
      plain(depth, allowed),
      fc.array(fc.constantFrom(...allowed), { minLength: 7, maxLength: 7 }),
    )
    .map(([columns, values, chosen]) => {
      const own = Object.entries(values).map(([name, value], at) => [name, resolving(chosen[at] as Way, value)])
      const exposed = Object.entries(columns).map(([name, value]) => [`column_${name}`, value])
      return { typeName: 'Tree', ...Object.fromEntries([...own, ...exposed]) }
    })

function resolving(way: Way, value: unknown): unknown {
  if (way === 'later') return async () => value
  if (way === 'throws' && value === null)
    return () => {
      throw new Error('thrown')
    }
  if (way === 'rejects' && value === null)
    return async () => {
      throw new Error('rejected')
    }
  return value
}

const names = Object.keys(nullable).flatMap((name) => [name, `${name}Strict`, `${name}Column`, `${name}ColumnStrict`])

const selection = (depth: number): fc.Arbitrary<string> =>
  fc.subarray(names, { minLength: 1, maxLength: 5 }).chain((chosen) => {
    const fields = chosen.map((name) => {
      if (/^(text|number|texts)(Strict|Column|$)/.test(name))
        return fc.constantFrom(name, `alias_${name}: ${name}`, `__proto__: ${name} @skip(if: true)`)
      if (depth === 0) return fc.constant('__typename')
      const below = selection(depth - 1)
      return name.startsWith('node')
        ? below.map((inner) => `${name} { __typename text ... on Tree { ${inner} } }`)
        : below.map((inner) => `${name} { ${inner} }`)
    })
    return fc.tuple(...fields).map((texts) => texts.join(' '))
  })

it('nulls, errors and lists are completed as GraphQL completes them', async () => {
  await fc.assert(
    fc.asyncProperty(treeOf(2), selection(3), async (rootValue, fields) => {
      const args = { schema, document: parse(`{ tree { ${fields} } }`), rootValue }
      const [ours, theirs] = [await execute(args), await executeInterpreted(args)]
      expect(JSON.parse(JSON.stringify(ours))).toEqual(JSON.parse(JSON.stringify(theirs)))
      expect(JSON.stringify(ours.data)).toBe(JSON.stringify(theirs.data))
    }),
    { numRuns: 400 },
  )
})
