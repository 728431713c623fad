import DataLoader from 'dataloader'
import type { GraphQLContext } from './context.ts'

const loaders = new WeakMap<object, Map<string, DataLoader<string, unknown>>>()

/**
 * Asks for one of many at once: whatever is asked for in the same turn of a request under the same key is loaded
 * together, so that a page of rows costs one statement and not one each.
 *
 * @param load answers one for each id, in their order
 */
export function batched<T>(
  ctx: GraphQLContext,
  key: string,
  id: string,
  load: (ids: readonly string[]) => Promise<T[]>,
): Promise<T> {
  const known = loaders.get(ctx) ?? new Map<string, DataLoader<string, unknown>>()
  loaders.set(ctx, known)
  const loader = (known.get(key) as DataLoader<string, T> | undefined) ?? new DataLoader(load, { maxBatchSize: 1000 })
  known.set(key, loader)
  return loader.load(id)
}
