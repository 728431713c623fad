import { createHash } from 'node:crypto'
import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core'
import { buildSchema } from 'graphql'

/** A breaking change that is meant: at `path` and below; `*` is all of them, up to the schema with the hash `schema`. */
export type Declared = { path: string; reason: string; schema?: string }

export type Verdict = {
  /** Breaking, and nobody said that they are meant. */
  undeclared: string[]
  /** Breaking and meant. */
  declared: string[]
  /** They break some clients: one that knows all values of an enum, say. */
  dangerous: string[]
  /** Declared, and nothing of the kind was changed. */
  idle: Declared[]
}

export const hashOf = (sdl: string): string => createHash('sha256').update(sdl).digest('hex')

/** What has become of one schema in another, both in GraphQL's words. */
export async function judgeChanges(before: string, after: string, declarations: Declared[]): Promise<Verdict> {
  const changes = await diff(buildSchema(before), buildSchema(after))
  const messages = (level: CriticalityLevel, which: (change: Change) => boolean = () => true) =>
    changes.filter((change) => change.criticality.level === level && which(change)).map(told)
  const covers = (declared: Declared) => (change: Change) =>
    declared.path === '*' ? declared.schema === hashOf(after) : isAtOrBelow(change.path, declared.path)
  const isDeclared = (change: Change) => declarations.some((declared) => covers(declared)(change))
  const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
  return {
    undeclared: messages(CriticalityLevel.Breaking, (change) => !isDeclared(change)),
    declared: messages(CriticalityLevel.Breaking, isDeclared),
    dangerous: messages(CriticalityLevel.Dangerous),
    idle: declarations.filter((declared) => !breaking.some(covers(declared))),
  }
}

const isAtOrBelow = (path: string | undefined, declared: string) =>
  path === declared || path?.startsWith(`${declared}.`) === true

const told = ({ message, path }: Change): string => (path ? `${path}: ${message}` : message)

/** @throws where it is not what a file of declarations is */
export function readDeclarations(text: string): Declared[] {
  const { breaking } = JSON.parse(text)
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  for (const { path, reason, schema } of breaking) {
    if (!isText(path) || !isText(reason)) throw new Error('Each breaking change needs a `path` and a `reason`.')
    if (path === '*' && !isText(schema))
      throw new Error('"*" needs the hash of the schema that it goes up to (`schema`).')
  }
  return breaking
}
