import { type GraphQLError, getNamedType, getOperationAST, OperationTypeNode } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { type GraphQLContext, programScope } from '../graphql/context.ts'
import type { SelectedField } from '../graphql/cost.ts'
import { collectDueCommissions } from '../modules/payouts/service.ts'

/**
 * Collects due commissions before a query that selects payouts: they are read in one statement with their owners, so a
 * resolver would be too late. The services that REST runs collect by themselves.
 * @param maskedError hides the cause of unexpected errors
 */
export function useFreshPayouts(maskedError: (error: unknown) => GraphQLError): Plugin<GraphQLContext> {
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const ctx = args.contextValue as GraphQLContext
      const isQuery = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.QUERY
      if (!isQuery || !ctx.namedProgram || !ctx.selectedFields?.some(readsFreshPayouts)) return
      try {
        await collectDueCommissions(programScope(ctx))
      } catch (error) {
        setResultAndStopExecution({ errors: [maskedError(error)] })
      }
    },
  }
}

/** The record that `node` finds can be a payout. */
const typesWithPayouts = new Set(['Payout', 'PayoutConnection', 'Node'])

export function readsFreshPayouts({ type, extensions }: SelectedField): boolean {
  const { name } = getNamedType(type)
  return typesWithPayouts.has(name) && !extensions.asCollectedBefore
}
