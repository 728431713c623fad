import type { Prisma } from '../generated/prisma/client.ts'
import { snakeCase } from '../kernel/text.ts'
import type { Superset } from './superset.ts'

/** How the values of a field are stored and written. */
type Kind = 'id' | 'word' | 'text' | 'texts' | 'number' | 'cents' | 'flag' | 'time' | 'json'

/** A field of a resource: a column of its table, or a value that is computed. */
export type Field = {
  readonly kind: Kind
  readonly nullable?: true
  /** The value is not a column: those who show it compute it. */
  readonly computed?: true
  /** The GraphQL enum of a word. */
  readonly enum?: string
  /** The name over REST, if it is not the field's name in snake_case. */
  readonly wire?: string
  /** The contract's REST shows it. What else API keys with the superset see is in the resource's `superset`. */
  readonly contract?: true
  /** Exports have it. Columns that are no field of the noun in GraphQL have a description. */
  readonly exported?: true | string
  /** The history records changes. */
  readonly recorded?: true
  /** Erased with the person. Names and addresses are also looked for in stored answers. */
  readonly personal?: 'name' | 'address' | 'other'
  /** Requests and imports can give it. A new row has this value without it. */
  readonly default?: string | number | bigint | boolean | null
  /** The CSV import reads it. */
  readonly inCsv?: true
}

export type Fields = Readonly<Record<string, Field>>

/** What events, REST, exports, history, imports and the erasure of a person have of a noun. */
export type Resource = {
  readonly object: string
  readonly fields: Fields
  readonly superset: Superset
  readonly states?: object
}

type KindOf<Value> = Value extends Date
  ? 'time'
  : Value extends bigint
    ? 'cents'
    : Value extends number
      ? 'number'
      : Value extends boolean
        ? 'flag'
        : 'id' | 'word' | 'text'

type FieldOf<Value> = { readonly kind: KindOf<NonNullable<Value>> } & (null extends Value
  ? { readonly nullable: true }
  : { readonly nullable?: never })

/** The fields of a table. A column of JSON can hold an array, as no other can. */
export type FieldsOf<Row> = {
  readonly [Name in keyof Row]: Field &
    (Prisma.JsonArray extends Row[Name] ? { readonly kind: 'json' } : FieldOf<Row[Name]>)
}

/** A column that nobody is shown. */
export const hidden = { kind: 'id' } as const

export const fieldsWith = <F extends Fields>(fields: F, mark: keyof Field): [name: keyof F & string, field: Field][] =>
  Object.entries(fields).filter(([, field]) => field[mark] !== undefined)

export const namesWith = <F extends Fields>(fields: F, mark: keyof Field): (keyof F & string)[] =>
  fieldsWith(fields, mark).map(([name]) => name)

export const wireName = (name: string, { wire }: Field): string => wire ?? snakeCase(name)

/** The fields that REST calls otherwise: its name to the field's. */
export const renamedIn = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(fieldsWith(fields, 'wire').map(([name, field]) => [wireName(name, field), name]))

/** The fields of a row that requests and imports can give. */
export type Given<Row, F> = Pick<Row, GivenName<F> & keyof Row>
type GivenName<F> = { [Name in keyof F]: F[Name] extends { default: unknown } ? Name : never }[keyof F]

/** The given fields of a new row, with the defaults of those that are missing. */
export const newValues = <Values extends object>(fields: Fields, given: Partial<Values>): Values =>
  Object.fromEntries(
    fieldsWith(fields, 'default').map(([name, field]) => [
      name,
      (given as Record<string, unknown>)[name] ?? field.default,
    ]),
  ) as Values
