import { builder } from './builder.ts'

export type Words<T extends readonly string[]> = Record<T[number], string>

const define = <T extends string>(
  name: string,
  description: string,
  words: Record<T, string>,
  earlierNames: Record<string, T> = {},
) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries([
      ...Object.entries<string>(words).map(([word, meaning]) => [
        word.toUpperCase(),
        { value: word as T, description: meaning },
      ]),
      ...Object.entries<T>(earlierNames).map(([earlier, word]) => [
        earlier,
        { value: word, description: words[word], deprecationReason: `Use ${word.toUpperCase()}.` },
      ]),
    ]) as Record<string, { value: T; description: string }>,
  })

const byName = new Map<string, ReturnType<typeof define>>()

/**
 * Defines an enum: the contract's lower-case values in upper case. Modules define theirs in `graphql-enums.ts`.
 * Arguments also take the earlier names of a value, which are deprecated.
 */
export function defineEnum<const T extends string>(
  name: string,
  description: string,
  words: Record<T, string>,
  earlierNames?: Record<string, NoInfer<T>>,
) {
  const ref = define(name, description, words, earlierNames)
  byName.set(name, ref)
  return ref
}

/** An enum by its name, for filters and inputs that know only the name. Call it when all modules are loaded. */
export function enumOf(name: string) {
  const found = byName.get(name)
  if (!found) throw new Error(`No GraphQL enum is called ${name}.`)
  return found
}
