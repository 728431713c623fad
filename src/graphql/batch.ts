import DataLoader from 'dataloader'
import { perRequest } from '../kernel/per-request.ts'
import type { GraphQLContext } from './context.ts'

const loaders = perRequest<GraphQLContext, Map<string, DataLoader<string, unknown>>>('loaders')

export type Load<T> = (ids: readonly string[]) => Promise<T[]>

/** Loads the value of one id. Loads of one request with the same key share one statement. */
export function batched<T>(ctx: GraphQLContext, key: string, id: string, load: Load<T>): Promise<T> {
  return loaderOf(ctx, key, load).load(id)
}

/** The same, but no value is kept: a subscription has one context for all of its events. */
export function batchedOnce<T>(ctx: GraphQLContext, key: string, id: string, load: Load<T>): Promise<T> {
  return loaderOf(ctx, key, load, false).load(id)
}

export const isRequested = (ctx: GraphQLContext, key: string): boolean => loaders.of(ctx)?.has(key) ?? false

/** Sets a value in advance, for values that cannot be loaded later any more. */
export function prime<T>(ctx: GraphQLContext, key: string, id: string, value: T, load: Load<T>): void {
  loaderOf(ctx, key, load).prime(id, value)
}

function loaderOf<T>(ctx: GraphQLContext, key: string, load: Load<T>, cache = true): DataLoader<string, T> {
  const known = loaders.of(ctx) ?? loaders.keep(ctx, new Map())
  const loader =
    (known.get(key) as DataLoader<string, T> | undefined) ?? new DataLoader(load, { maxBatchSize: 1000, cache })
  known.set(key, loader)
  return loader
}
