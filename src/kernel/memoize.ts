import { LRUCache } from 'lru-cache'

/** Caches the result of `make` for each key. Without `max`, the keys have to be bounded. */
export function memoize<K extends string | object, V extends object>(make: (key: K) => V, max?: number): (key: K) => V {
  const cache = max === undefined ? new Map<K, V>() : new LRUCache<K, V>({ max })
  return (key) => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const value = make(key)
    cache.set(key, value)
    return value
  }
}
