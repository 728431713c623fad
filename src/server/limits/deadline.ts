import type { Plugin } from 'graphql-yoga'
import type { GraphQLContext } from '../../graphql/context.ts'
import { createDeadline, type Deadline } from '../../kernel/deadline.ts'

/** How long an operation may take, in milliseconds. */
export const defaultOperationMs = 15_000

/** After its deadline, an operation ends within this time: its statements were cancelled, and no other begins. */
const graceMs = 1_000

type OfOperation = Pick<GraphQLContext, 'db'> & { signal?: AbortSignal | undefined }

/** What an operation runs with, so that it ends when its deadline is over. */
export const limitedBy = (deadline: Deadline, { db, signal }: OfOperation): OfOperation => ({
  db: db.until(deadline),
  signal: endedBy(deadline, signal),
})

/** Aborted when the deadline is over, or the client has gone. */
const endedBy = (deadline: Deadline, signal: AbortSignal | undefined) =>
  ({
    get aborted() {
      return deadline.isOver || signal?.aborted === true
    },
    get reason() {
      return deadline.isOver ? deadline.error() : signal?.reason
    },
  }) as AbortSignal

/** Runs an operation. Fails if it does not end after its deadline. */
async function inTime<T>(deadline: Deadline, run: () => T | Promise<T>): Promise<T> {
  let forget = () => {}
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    forget = deadline.onOver(() => {
      timer = setTimeout(() => reject(deadline.error()), graceMs)
    })
  })
  try {
    return await Promise.race([run(), late])
  } finally {
    forget()
    clearTimeout(timer)
  }
}

/** Runs an operation with a deadline. @throws DeadlineExceeded */
export async function runWithDeadline<C extends OfOperation, T>(
  context: C,
  operationMs: number,
  run: (context: C) => Promise<T>,
): Promise<T> {
  const deadline = createDeadline(operationMs)
  return await inTime(deadline, () => run({ ...context, ...limitedBy(deadline, context) }))
}

/** Gives every query and mutation of GraphQL a deadline. Plugins after it run with the limited client too. */
export function useDeadline(operationMs: number): Plugin<GraphQLContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const deadline = createDeadline(operationMs)
      Object.assign(args.contextValue as GraphQLContext, limitedBy(deadline, args.contextValue as GraphQLContext))
      setExecuteFn((args) => inTime(deadline, () => executeFn(args)))
    },
  }
}
