/** Keeps a value with an object of one request. Entries of a WeakMap would outlive the request in memory. */
export function perRequest<Owner extends object, Value>(name: string) {
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
