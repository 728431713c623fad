import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import type { Operation } from '../send-operation.ts'

/** A connection in a query, which the page can read further. */
export type Connection = {
  /** The operation for a page of this connection alone. The result has the page at `path`. */
  pageQuery(size: number, after: string | null): Operation
  /** The operation for the number of rows on all pages. */
  countQuery: Operation
  /** The keys from the root of the result. */
  path: string[]
  /** The name of the field in the schema, which an alias can differ from. */
  noun: string
  /** The number of rows that the query asks for. */
  size: number
  /** True if the query starts after another page, so that its rows are not the whole list even if they are few. */
  isLaterPage: boolean
}

/** The keys under which the page's own selections are in a result. */
export const pageKey = 'tributaryPage'
export const totalKey = 'tributaryTotal'

const defaultSize = 25

/**
 * Finds the connection that a table shows. Returns null if the table is not a connection, or is inside of a list: there
 * is no single next page then.
 * @param tableName the path of the table in the result: "affiliate.sales"
 */
export function findConnection(operation: Operation, tableName: string): Connection | null {
  const document = parsed(operation.query)
  const definition = document && definitionIn(document, operation.operationName)
  if (!document || definition?.operation !== 'query') return null
  const path = tableName.split('.')
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  )
  const found = findField(definition.selectionSet, path, fragments)
  const rows = found && rowsIn(found.field.selectionSet, fragments)
  if (!found || !rows) return null
  const variables = (operation.variables ?? {}) as Record<string, unknown>
  const argument = (name: string) => argumentOf(found.field, name, variables)
  const kept = (found.field.arguments ?? []).filter(({ name }) => !pageArguments.has(name.value))
  const operationFor = (given: ArgumentNode[], selections: readonly SelectionNode[]): Operation => {
    const field = { ...found.field, arguments: [...kept, ...given], selectionSet: selectionSetOf(selections) }
    return withUsedOnly(document, { ...definition, selectionSet: selectionSetOf([found.wrap(field)]) }, variables)
  }
  return {
    path,
    noun: found.field.name.value,
    size: Number(argument('first') ?? argument('last') ?? defaultSize) || defaultSize,
    isLaterPage: Boolean(argument('after') ?? argument('before')),
    countQuery: operationFor([], [aliased('totalCount', totalKey)]),
    pageQuery: (size, after) =>
      operationFor(pageOf(size, after), [
        ...(found.field.selectionSet?.selections ?? []).filter((selection) => !isSummary(selection)),
        aliased('pageInfo', pageKey, ['hasNextPage', 'endCursor']),
      ]),
  }
}

const pageArguments = new Set(['first', 'last', 'after', 'before'])

/** Totals and groups are of all pages, so they are not computed again for each. */
const isSummary = (selection: SelectionNode) =>
  selection.kind === Kind.FIELD && ['totalCount', 'aggregate', 'groupBy'].includes(selection.name.value)

function parsed(query: string): DocumentNode | null {
  try {
    return parse(query)
  } catch {
    return null
  }
}

function definitionIn(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  return operations.find((one) => one.name?.value === name) ?? (operations.length === 1 ? operations[0] : undefined)
}

type Fragments = Map<string, FragmentDefinitionNode>
type Found = { field: FieldNode; wrap: (field: FieldNode) => SelectionNode }

/**
 * Finds a field by the keys of the result. `wrap` puts a changed field back into its parents, without their other
 * fields.
 */
function findField(set: SelectionSetNode | undefined, [key, ...rest]: string[], fragments: Fragments): Found | null {
  for (const selection of set?.selections ?? []) {
    if (selection.kind === Kind.FIELD) {
      if ((selection.alias ?? selection.name).value !== key) continue
      if (rest.length === 0) return { field: selection, wrap: (field) => field }
      const inner = findField(selection.selectionSet, rest, fragments)
      if (!inner) continue
      return {
        field: inner.field,
        wrap: (field) => ({ ...selection, selectionSet: selectionSetOf([inner.wrap(field)]) }),
      }
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection
    const inner = findField(fragment?.selectionSet, [key as string, ...rest], fragments)
    if (!inner) continue
    const { typeCondition } = fragment as FragmentDefinitionNode
    return {
      field: inner.field,
      wrap: (field) => ({
        kind: Kind.INLINE_FRAGMENT,
        typeCondition,
        selectionSet: selectionSetOf([inner.wrap(field)]),
      }),
    }
  }
  return null
}

/** Whether a selection has the rows of a connection. */
function rowsIn(set: SelectionSetNode | undefined, fragments: Fragments): boolean {
  return (set?.selections ?? []).some((selection) => {
    if (selection.kind === Kind.FIELD) return ['nodes', 'edges'].includes((selection.alias ?? selection.name).value)
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection
    return rowsIn(fragment?.selectionSet, fragments)
  })
}

function argumentOf({ arguments: given = [] }: FieldNode, name: string, variables: Record<string, unknown>): unknown {
  const value = given.find((one) => one.name.value === name)?.value
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value]
  return value && 'value' in value ? value.value : undefined
}

/** The operation alone, with the fragments and variables that it still uses. The service rejects unused ones. */
function withUsedOnly(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Operation {
  const names = new Set<string>()
  const fragments: FragmentDefinitionNode[] = []
  const collect = (node: OperationDefinitionNode | FragmentDefinitionNode): void =>
    void visit(node.kind === Kind.OPERATION_DEFINITION ? { ...node, variableDefinitions: [] } : node, {
      Variable: ({ name }) => void names.add(name.value),
      FragmentSpread({ name }) {
        const fragment = document.definitions.find(
          (one): one is FragmentDefinitionNode =>
            one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name.value,
        )
        if (!fragment || fragments.includes(fragment)) return
        fragments.push(fragment)
        collect(fragment)
      },
    })
  collect(definition)
  const used = {
    ...definition,
    variableDefinitions: definition.variableDefinitions?.filter(({ variable }) => names.has(variable.name.value)),
  }
  return {
    query: print({ kind: Kind.DOCUMENT, definitions: [used, ...fragments] }),
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name))),
    operationName: definition.name?.value,
  }
}

const nameNode = (value: string) => ({ kind: Kind.NAME, value }) as const
const selectionSetOf = (selections: readonly SelectionNode[]): SelectionSetNode => ({
  kind: Kind.SELECTION_SET,
  selections: [...selections],
})

const aliased = (name: string, alias: string, fields: string[] = []): FieldNode => ({
  kind: Kind.FIELD,
  name: nameNode(name),
  alias: nameNode(alias),
  ...(fields.length > 0 && {
    selectionSet: selectionSetOf(fields.map((field) => ({ kind: Kind.FIELD, name: nameNode(field) }))),
  }),
})

const pageOf = (size: number, after: string | null): ArgumentNode[] => [
  { kind: Kind.ARGUMENT, name: nameNode('first'), value: { kind: Kind.INT, value: String(size) } },
  ...(after === null
    ? []
    : [
        {
          kind: Kind.ARGUMENT,
          name: nameNode('after'),
          value: { kind: Kind.STRING, value: after },
        } as const,
      ]),
]
