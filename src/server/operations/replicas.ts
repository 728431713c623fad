import { type DocumentNode, type ExecutionResult, getOperationAST, Kind, OperationTypeNode } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { ReadFrom } from '../../database/client/read-from.ts'
import type { GraphQLContext } from '../../graphql/context.ts'
import { TributaryError } from '../../kernel/errors.ts'
import { readsFreshPayouts, replicaReads } from '../entrance/reads.ts'

/** Whether replicas can answer an operation of REST: "Query.sales". */
export const canReadReplica = (operation: string): boolean =>
  operation.startsWith('Query.') && replicaReads.has(operation.slice('Query.'.length))

/** Whether an answer is one of the request, not of a replica that has failed. */
export const isAnswer = ({ status }: { status: number }): boolean => status < 500

/** Lets replicas answer GraphQL queries that only read. */
export function useReplicas(readFrom: ReadFrom | undefined): Plugin<GraphQLContext> {
  if (!readFrom) return {}
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const ctx = args.contextValue as GraphQLContext
      if (!onlyReads(args.document, args.operationName) || ctx.selectedFields?.some(readsFreshPayouts)) return
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

function onlyReads(document: DocumentNode, operationName: string | null | undefined): boolean {
  const operation = getOperationAST(document, operationName)
  if (operation?.operation !== OperationTypeNode.QUERY) return false
  return operation.selectionSet.selections.every(
    (field) => field.kind === Kind.FIELD && replicaReads.has(field.name.value),
  )
}

/** Whether each error is about the request. */
export const hasOnlyOwnErrors = ({ errors = [] }: ExecutionResult): boolean =>
  errors.every(({ originalError }) => originalError instanceof TributaryError)
