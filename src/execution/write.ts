import { type GraphQLLeafType, type GraphQLResolveInfo, isEnumType } from 'graphql'
import { instantText } from '../kernel/dates.ts'
import { noteSlow } from '../kernel/slow-paths.ts'
import type { FieldPlan, Selection, Shape } from './plan.ts'
import { extensionsOf, relationsOf, sharedRelations } from './pothos.ts'

/**
 * Values that are rows, written as JSON at once: without the object that a response would have of each row. What is
 * written here is what the executor and JSON.stringify would write. Where a value has to be awaited, is missing or
 * cannot be written, `write` throws, and the executor completes the value as usual.
 */

export type MaybePromise<T> = T | Promise<T>

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

/** A value has to be awaited or loaded. It will have to be in other rows too. */
export class NotAtHand extends Error {}

export type Writing = {
  context: unknown
  argsOf(field: FieldPlan): Record<string, unknown>
  rowInfoOf(field: FieldPlan): GraphQLResolveInfo
}

type Row = Record<string, unknown>
type Write<T = unknown> = (value: T, writing: Writing) => string

export class Json {
  constructor(readonly text: string) {}
}

/** The JSON of a result that contains parts that are JSON. */
export function textOf(value: unknown): string {
  if (value instanceof Json) return value.text
  if (value === null || typeof value !== 'object' || value instanceof Date) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return JSON.stringify(value)
  const fields = Object.entries(value).flatMap(([key, one]) =>
    one === undefined ? [] : [`${JSON.stringify(key)}:${textOf(one)}`],
  )
  return `{${fields.join()}}`
}

const writers = new WeakMap<Shape, Write | null>()

/** Writes objects and lists of this shape. Null if some of their fields are not in the rows. */
export function writerOf(shape: Shape): Write | null {
  const known = writers.get(shape)
  if (known !== undefined) return known
  const write = planned(shape)
  writers.set(shape, write)
  return write
}

/** Values of this shape are not written any more. */
export function giveUp(shape: Shape): void {
  noteSlow('rows not written as JSON')
  writers.set(shape, null)
}

function planned(shape: Shape): Write | null {
  const write = plannedValue(shape)
  if (!write) return null
  const { isNonNull } = shape
  return (value, writing) => {
    if (value !== null && value !== undefined) return write(value, writing)
    if (isNonNull) throw new Error('A value is missing.')
    return 'null'
  }
}

function plannedValue(shape: Shape): Write | null {
  switch (shape.kind) {
    case 'leaf':
      return leafWriter(shape.type, shape.serialize)
    case 'list': {
      const item = planned(shape.item)
      return (
        item &&
        ((values, writing) =>
          `[${arrayOf(values)
            .map((one) => item(one, writing))
            .join()}]`)
      )
    }
    case 'object':
      return objectWriter(shape.selection()) as Write | null
    case 'abstract':
      return null
  }
}

/** A field of an object: its text up to the value, and what writes the value. */
type Part = { field: FieldPlan; start: string; write: Write<Row> }

function partsOf({ fields }: Selection): Part[] | null {
  const shared = sharedRelations(fields)
  const parts: Part[] = []
  for (const field of fields) {
    const isShared = relationsOf(field).some((name) => shared.has(name))
    const write = fieldWriter(field, isShared)
    if (!write) return null
    parts.push({ field, start: `${parts.length === 0 ? '{' : ','}${JSON.stringify(field.key)}:`, write })
  }
  return parts.length === 0 ? null : parts
}

/** Null if an object has nothing, or something that is not in its row. */
function objectWriter(selection: Selection): Write<Row> | null {
  const parts = partsOf(selection)
  if (!parts) return null
  return (row, writing) => {
    if (row instanceof Error || isPromise(row)) throw new NotAtHand()
    let text = ''
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] as Part
      text += part.start + part.write(row, writing)
    }
    return `${text}}`
  }
}

/** @param isShared whether other fields read the same related rows. A list of them was loaded for one field only. */
function fieldWriter(field: FieldPlan, isShared: boolean): Write<Row> | null {
  const { access, shape } = field
  if (access.kind === 'constant') {
    const text = JSON.stringify(access.value)
    return () => text
  }
  const write = planned(shape)
  if (!write) return null
  if (access.kind === 'column') {
    const { name } = access
    return (row, writing) => write(row[name], writing)
  }
  if (access.isGuarded) return null
  const { pothosPrismaRelationField: relation, connectedRows } = extensionsOf(field.definition)
  const { resolve, own } = access
  // Without its own resolver, a field has checks that are not known here.
  if (relation) {
    if (!own || (relation.isList && isShared)) return null
    return (row, writing) => write(loaded(row, relation.name), writing)
  }
  if (connectedRows) {
    if (isShared || !own) return null
    return (row, writing) => {
      loaded(row, connectedRows)
      return write(own(row, writing.argsOf(field), writing.context, writing.rowInfoOf(field)), writing)
    }
  }
  if (!access.isComputed) return null
  return (row, writing) => {
    const value = resolve(row, writing.argsOf(field), writing.context, writing.rowInfoOf(field))
    if (!isPromise(value)) return write(value, writing)
    value.catch(() => {})
    throw new NotAtHand()
  }
}

function arrayOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new NotAtHand()
  return value
}

function loaded(row: Row, name: string): unknown {
  const value = row[name]
  if (value === undefined) throw new NotAtHand()
  return value
}

export function leafWriter(type: GraphQLLeafType, serialize: (value: unknown) => unknown): (value: unknown) => string {
  const general = (value: unknown): string => {
    if (value instanceof Error || isPromise(value)) throw new NotAtHand()
    const serialized = serialize(value)
    if (serialized === null || serialized === undefined) throw new Error('A value has no serialized form.')
    return JSON.stringify(serialized)
  }
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ value }) => [value as unknown, general(value)]))
    return (value) => texts.get(value) ?? general(value)
  }
  switch (type.name) {
    case 'ID':
    case 'String':
    case 'EmailAddress':
    case 'EventType':
    case 'URL':
    case 'Currency':
      return (value) => (typeof value === 'string' ? quoted(value) : general(value))
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? `${value}` : general(value))
    case 'SafeInt':
      return (value) => (typeof value === 'bigint' && isSafe(value) ? `${value}` : general(value))
    case 'Boolean':
      return (value) => (typeof value === 'boolean' ? `${value}` : general(value))
    case 'DateTime':
      return (value) =>
        value instanceof Date && !Number.isNaN(value.getTime()) ? `"${instantText(value)}"` : general(value)
    default:
      return general
  }
}

const isSafe = (value: bigint) => value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER

/** What JSON escapes: quotes, control characters, and surrogates, of which one alone is escaped too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON escapes.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

const quoted = (text: string) => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`)
