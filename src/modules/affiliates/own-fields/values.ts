import type { z } from 'zod'
import type { AffiliateField } from '../../../generated/prisma/client.ts'
import type { Problem, ProblemCode } from '../../../kernel/errors.ts'
import { placedAt, repeated } from '../../../kernel/input/entries.ts'
import { readFields } from '../../../kernel/input/parse.ts'
import { excerpt } from '../../../kernel/text.ts'
import { ownFieldInput } from './input.ts'

/** The values of an affiliate, as they are stored. Numbers are compared as numbers, dates as texts. */
export type OwnFields = Readonly<Record<string, string | number>>

export type Definition = Pick<AffiliateField, 'name' | 'type' | 'choices'>

/** A value as text, as it is shown everywhere. */
export const ownFieldsOf = (stored: unknown): { name: string; value: string }[] =>
  Object.entries(stored as OwnFields)
    .map(([name, value]) => ({ name, value: String(value) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

type Given = Partial<z.output<typeof ownFieldInput>>

/** What a list of values changes: null removes one. */
export type OwnChanges = Readonly<Record<string, string | number | null>>

/** Reads values of a request. The problems have the place of the value in the list. */
export function readOwnFields(
  definitions: readonly Definition[],
  raws: readonly unknown[],
): { changes: OwnChanges; problems: Problem[] } {
  const read = raws.map((raw) => readFields(ownFieldInput, raw))
  const isRepeated = repeated(read.map(({ readable }) => readable.name))
  const changes: Record<string, string | number | null> = {}
  const problems = read.flatMap(({ readable, problems: own }, index): Problem[] => {
    const { name, value = null } = readable as Given
    const found = (field: string, message: string) => [{ field, message }]
    const problemsOf = (): Problem[] => {
      if (own.length > 0 || name === undefined)
        return own.map((one) => (name === undefined ? one : { ...one, message: `${name}: ${one.message}` }))
      if (isRepeated[index]) return found('name', `${name} has two values.`)
      const definition = definitions.find((one) => one.name === name)
      if (!definition) return found('name', `${unknownField(name)} ${namesOf(definitions)}`)
      const stored = value === null ? null : storedValue(definition, value)
      if (typeof stored === 'object' && stored !== null) return found('value', `${name} ${stored.problem}.`)
      changes[name] = stored
      return []
    }
    return problemsOf().map((one) => placedAt(['ownFields', index], { ...one, field: one.field ?? 'name' }))
  })
  return { changes, problems }
}

const unknownField = (name: string) => `The program has no own field called "${excerpt(name, 50)}".`

const namesOf = (definitions: readonly Definition[]) =>
  definitions.length === 0
    ? 'Create it with createAffiliateField.'
    : `Its fields are ${definitions.map(({ name }) => name).join(', ')}.`

const mostDigits = 15

type Unfit = { problem: string; code: ProblemCode }

/** The value as it is stored, or what is wrong with it. */
export function storedValue({ type, choices }: Definition, text: string): string | number | Unfit {
  if (type === 'number') {
    if (!/^-?\d+(\.\d+)?$/.test(text)) return { problem: 'must be a number such as 12.5', code: 'not_a_number' }
    // More digits would be lost.
    if (text.replace(/\D/g, '').replace(/^0+/, '').length > mostDigits)
      return { problem: `can have at most ${mostDigits} digits`, code: 'not_a_number' }
    return Number(text)
  }
  if (type === 'date' && !isDay(text)) return { problem: 'must be a date such as 2026-01-31', code: 'not_a_date' }
  if (type !== 'choice') return text
  const all = choices as string[]
  const chosen = all.find((one) => one === text) ?? all.find((one) => one.toLowerCase() === text.toLowerCase())
  return chosen ?? { problem: `must be one of: ${all.join(', ')}`, code: 'not_an_option' }
}

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text) &&
  !text.startsWith('0000')

/** The values after a change. Equal values keep their order, so that no change is seen. */
export function withChanges(before: OwnFields, changes: OwnChanges): OwnFields {
  const after: Record<string, string | number | null> = Object.assign({}, before, changes)
  return Object.fromEntries(
    Object.entries(after).filter((entry): entry is [string, string | number] => entry[1] !== null),
  )
}

/** What an applicant has entered, by the name of the question. */
export type Answers = Readonly<Record<string, string>>

/** The answers to questions that are called like own fields, if they are values of them. */
export const agreeing = (definitions: readonly Definition[], answers: Answers): { name: string; value: string }[] =>
  definitions.flatMap((definition) => {
    const { name } = definition
    const value = Object.hasOwn(answers, name) ? answers[name] : undefined
    return value === undefined || typeof storedValue(definition, value) === 'object' ? [] : [{ name, value }]
  })
