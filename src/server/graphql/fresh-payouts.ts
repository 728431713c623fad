import { type GraphQLError, getOperationAST, OperationTypeNode } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { collectDueCommissions } from '../../modules/payouts/service.ts'
import { readsFreshPayouts } from '../entrance/reads.ts'

/**
 * Collects due commissions before a query that selects payouts: they are read in one statement with their owners, so a
 * resolver would be too late.
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
