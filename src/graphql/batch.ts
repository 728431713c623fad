import DataLoader from 'dataloader'
import type { GraphQLContext } from './context.ts'

const loaders = new WeakMap<object, Map<string, DataLoader<string, unknown>>>()

/** Answers one for each id, in their order. */
export type Load<T> = (ids: readonly string[]) => Promise<T[]>

/**
 * Asks for one of many at once: whatever is asked for in the same turn of a request under the same key is loaded
 * together, so that a page of rows costs one statement and not one each.
 */
export function batched<T>(ctx: GraphQLContext, key: string, id: string, load: Load<T>): Promise<T> {
  return loaderOf(ctx, key, load).load(id)
}

/** Says beforehand what will be asked for, where loading it later would find it no more. */
export function prime<T>(ctx: GraphQLContext, key: string, id: string, value: T, load: Load<T>): void {
  loaderOf(ctx, key, load).prime(id, value)
}

function loaderOf<T>(ctx: GraphQLContext, key: string, load: Load<T>): DataLoader<string, T> {
  const known = loaders.get(ctx) ?? new Map<string, DataLoader<string, unknown>>()
  loaders.set(ctx, known)
  const loader = (known.get(key) as DataLoader<string, T> | undefined) ?? new DataLoader(load, { maxBatchSize: 1000 })
  known.set(key, loader)
  return loader
}
