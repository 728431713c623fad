export type MaybePromise<T> = T | Promise<T>

/** Whether a value has to be awaited. */
export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
