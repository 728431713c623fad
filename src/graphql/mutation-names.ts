import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql'

/** The mutations that an operation runs, each once, also those in fragments. */
export function mutationNamesOf(
  document: DocumentNode,
  operation: OperationDefinitionNode | null | undefined,
): string[] {
  if (operation?.operation !== 'mutation') return []
  const fragments = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )
  const namesIn = ({ selections }: SelectionSetNode): string[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value
      if (selection.kind === Kind.INLINE_FRAGMENT) return namesIn(selection.selectionSet)
      const fragment = fragments.get(selection.name.value)
      return fragment ? namesIn(fragment.selectionSet) : []
    })
  return [...new Set(namesIn(operation.selectionSet))]
}

/** The mutations of all operations in a text. A text that is no document runs none. */
export function mutationsIn(text: string): string[] {
  if (!text.includes('mutation')) return []
  try {
    const document = parse(text, { noLocation: true })
    const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
    return [...new Set(operations.flatMap((operation) => mutationNamesOf(document, operation)))]
  } catch {
    return []
  }
}
