/**
 * Keeps a value with an object of one request. V8 treats a WeakMap's entries as reachable while it collects young
 * objects, so all that a request has read would outlive it.
 */
export function keptWith<Owner extends object, Value>(name: string) {
  const key = Symbol(name)
  type Kept = Owner & { [key]?: Value }
  return {
    of: (owner: Owner): Value | undefined => (Object.hasOwn(owner, key) ? (owner as Kept)[key] : undefined),
    /** Copies of the object do not have it. */
    keep: <V extends Value>(owner: Owner, value: V): V => {
      Object.defineProperty(owner, key, { value, configurable: true })
      return value
    },
  }
}
