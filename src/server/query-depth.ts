import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/**
 * How many fields deep a query may go. Payouts hold commissions and commissions name their payout: every further turn
 * multiplies the rows by what a payout holds, and a few turns keep the database busy for minutes, for all programs.
 */
const deepest = 8

/** Refuses queries that go deeper; what a schema says of itself is a tree that ends. */
export function useQueryDepth(): Plugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(limitDepth) }
}

function limitDepth(context: ValidationContext): ASTVisitor {
  const depthOf = (set: SelectionSetNode, depth: number, inside: readonly string[]): number =>
    depth > deepest
      ? depth
      : set.selections.reduce((most, selection) => {
          if (selection.kind === Kind.FIELD) {
            if (!selection.selectionSet || selection.name.value.startsWith('__')) return Math.max(most, depth + 1)
            return Math.max(most, depthOf(selection.selectionSet, depth + 1, inside))
          }
          if (selection.kind === Kind.INLINE_FRAGMENT)
            return Math.max(most, depthOf(selection.selectionSet, depth, inside))
          const name = selection.name.value
          // A fragment in itself is another rule's to refuse.
          const fragment = inside.includes(name) ? null : context.getFragment(name)
          return fragment ? Math.max(most, depthOf(fragment.selectionSet, depth, [...inside, name])) : most
        }, depth)
  return {
    OperationDefinition(node) {
      if (depthOf(node.selectionSet, 0, []) > deepest)
        context.reportError(new GraphQLError(`A query may be ${deepest} fields deep.`, { nodes: [node] }))
      return false
    },
  }
}
