import { LRUCache } from 'lru-cache'

/**
 * Remembers what `make` returned for each key.
 *
 * @param max how many results to keep; the least recently used one goes first. Without it all are kept, which fits a
 *   closed set of keys only.
 */
export function memoize<K extends string | object, V extends object>(make: (key: K) => V, max?: number): (key: K) => V {
  const known = max === undefined ? new Map<K, V>() : new LRUCache<K, V>({ max })
  return (key) => {
    const kept = known.get(key)
    if (kept !== undefined) return kept
    const made = make(key)
    known.set(key, made)
    return made
  }
}
