/** What makes requests cheaper than the libraries alone. Each mechanism can be left out: the answers stay the same. */
export const mechanisms = {
  executor: 'executes queries by a plan, in place of graphql-js, and without Yoga',
  json: 'writes rows as JSON, in place of objects',
  reader: "reads rows by prepared statements, in place of Prisma's engine",
  batches: 'sends several statements of one request, and the read of its API key, in one round trip',
} as const

export type Mechanism = keyof typeof mechanisms

export const allMechanisms = Object.keys(mechanisms) as Mechanism[]

let used: ReadonlySet<Mechanism> = new Set(allMechanisms)

export const usesMechanism = (name: Mechanism): boolean => used.has(name)

/** Chooses the mechanisms of this process. To be called before a database is opened. */
export function useMechanisms(names: readonly Mechanism[]): void {
  used = new Set(names)
}
