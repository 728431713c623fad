import { createHash } from 'node:crypto'
import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core'
import { buildSchema } from 'graphql'

/** Accepts breaking changes at `path` and below. `*` accepts all changes that lead to the schema with the hash `schema`. */
export type Declared = { path: string; reason: string; schema?: string }

export type Verdict = {
  /** Breaking changes without a declaration. */
  undeclared: string[]
  /** Breaking changes with a declaration. */
  declared: string[]
  /** Changes that break some clients, such as those with a fixed list of an enum's values. */
  dangerous: string[]
  /** Declarations that match no change. */
  unused: Declared[]
}

export const hashOf = (sdl: string): string => createHash('sha256').update(sdl).digest('hex')

/** Compares two schemas, both in the schema definition language. */
export async function judgeChanges(before: string, after: string, declarations: Declared[]): Promise<Verdict> {
  const changes = await diff(buildSchema(before), buildSchema(after))
  const messages = (level: CriticalityLevel, which: (change: Change) => boolean = () => true) =>
    changes.filter((change) => change.criticality.level === level && which(change)).map(describe)
  const covers = (declared: Declared) => (change: Change) =>
    declared.path === '*' ? declared.schema === hashOf(after) : isAtOrBelow(change.path, declared.path)
  const isDeclared = (change: Change) => declarations.some((declared) => covers(declared)(change))
  const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
  return {
    undeclared: messages(CriticalityLevel.Breaking, (change) => !isDeclared(change)),
    declared: messages(CriticalityLevel.Breaking, isDeclared),
    dangerous: messages(CriticalityLevel.Dangerous),
    unused: declarations.filter((declared) => !breaking.some(covers(declared))),
  }
}

const isAtOrBelow = (path: string | undefined, declared: string) =>
  path === declared || path?.startsWith(`${declared}.`) === true

const describe = ({ message, path }: Change): string => (path ? `${path}: ${message}` : message)

/** Reads schema.breaking.json. @throws if it is invalid */
export function readDeclarations(text: string): Declared[] {
  const { breaking } = JSON.parse(text)
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  for (const { path, reason, schema } of breaking) {
    if (!isText(path) || !isText(reason)) throw new Error('Each breaking change needs a `path` and a `reason`.')
    if (path === '*' && !isText(schema))
      throw new Error('"*" needs `schema`: the hash of the schema that the changes lead to.')
  }
  return breaking
}
