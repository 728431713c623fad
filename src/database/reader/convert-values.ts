import { Prisma } from '../../generated/prisma/client.ts'
import { type Column, NotCompiled } from './models.ts'

/** How a column's value is read. `text` is what PostgreSQL sends; `json` is a parsed value inside of a JSON column. */
type Kind = {
  /** The column inside of JSON, where numbers of JavaScript would lose digits. */
  toJson?: (sql: string) => string
  /** JavaScript that converts a value that is not null. */
  fromText: (value: string) => string
  fromJson: (value: string) => string
}

const unchanged = (value: string) => value
const asText = (sql: string) => `${sql}::text`
const kinds: Record<string, Kind> = {
  String: { fromText: unchanged, fromJson: unchanged },
  Enum: { fromText: unchanged, fromJson: unchanged },
  Int: { fromText: (value) => `+${value}`, fromJson: unchanged },
  Boolean: { fromText: (value) => `${value}==='t'`, fromJson: unchanged },
  BigInt: { toJson: asText, fromText: (value) => `BigInt(${value})`, fromJson: (value) => `BigInt(${value})` },
  DateTime: { fromText: (value) => `date(${value})`, fromJson: (value) => `date(${value})` },
  Decimal: {
    toJson: asText,
    fromText: (value) => `new Decimal(${value})`,
    fromJson: (value) => `new Decimal(${value})`,
  },
  Json: { fromText: (value) => `JSON.parse(${value})`, fromJson: unchanged },
}

export function kindOf({ type }: Column): Kind {
  const kind = kinds[type]
  if (!kind) throw new NotCompiled(`values of type ${type}`)
  return kind
}

/** What the JavaScript of a compiled reader uses. */
const library = { date: parseTime, time: formatTime, Decimal: Prisma.Decimal, list: mapInPlace }

/** Compiles a JavaScript expression to a function. Its names come from the schema, never from a request. */
export function compileFunction<T>(parameter: string, expression: string): (value: T) => unknown {
  const make = new Function(...Object.keys(library), `'use strict'; return (${parameter}) => (${expression})`)
  return make(...Object.values(library))
}

function mapInPlace(list: unknown[], map: (value: unknown) => unknown): unknown[] {
  for (let index = 0; index < list.length; index += 1) list[index] = map(list[index])
  return list
}

/** Parses `2026-01-02 03:04:05.678+00`, and its form in JSON. Sessions are in UTC. */
function parseTime(text: string): Date {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const separator = text.charCodeAt(10)
  // Years before 100 and after 9999, and years BC, are left to JavaScript, which gives what Prisma gives.
  if (!(year >= 100 && (separator === 32 || separator === 84))) return parseUnusualTime(text)
  let milliseconds = 0
  if (text.charCodeAt(19) === 46) {
    for (let index = 20, unit = 100; unit >= 1; index += 1, unit /= 10) {
      const digit = text.charCodeAt(index) - 48
      if (!(digit >= 0 && digit <= 9)) break
      milliseconds += digit * unit
    }
  }
  const [month, day] = [twoDigits(text, 5) - 1, twoDigits(text, 8)]
  return new Date(
    Date.UTC(year, month, day, twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17), milliseconds),
  )
}

const twoDigits = (text: string, index: number) => (text.charCodeAt(index) - 48) * 10 + text.charCodeAt(index + 1) - 48

const parseUnusualTime = (text: string) => new Date(text.replace(' ', 'T').replace(/[+-]\d{2}(:\d{2})?$/, '+00:00'))

/** A time as a parameter. JavaScript writes years outside of 0 to 9999 in a form that PostgreSQL does not read. */
function formatTime(time: Date): string {
  const text = time.toISOString()
  if (text.length > 24) throw new NotCompiled('this year')
  return text
}
