import { type ExecutionResult, getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { GraphQLContext } from '../../graphql/context.ts'
import type { ReadFrom } from '../../kernel/db.ts'
import { TributaryError } from '../../kernel/errors.ts'
import { isReplicaRead, readsFreshPayouts, selectsOnly } from '../entrance/reads.ts'

/** Whether an answer is one of the request, not of a replica that has failed. */
export const isAnswer = ({ status }: { status: number }): boolean => status < 500

/** Lets replicas answer GraphQL queries that only read. */
export function useReplicas(readFrom: ReadFrom | undefined): Plugin<GraphQLContext> {
  if (!readFrom) return {}
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const ctx = args.contextValue as GraphQLContext
      const operation = getOperationAST(args.document, args.operationName)
      if (!selectsOnly(isReplicaRead, operation) || ctx.selectedFields?.some(readsFreshPayouts)) return
      setExecuteFn((args) =>
        readFrom(
          args.contextValue as GraphQLContext,
          async (contextValue) => (await executeFn({ ...args, contextValue })) as ExecutionResult,
          hasOnlyOwnErrors,
        ),
      )
    },
  }
}

/** Whether each error is about the request. */
export const hasOnlyOwnErrors = ({ errors = [] }: ExecutionResult): boolean =>
  errors.every(({ originalError }) => originalError instanceof TributaryError)
