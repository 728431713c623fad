import { z } from 'zod'
import { ownCase } from '../ids.ts'
import { maxCents } from '../money/amounts.ts'
import { normalizeCurrency } from '../money/currencies.ts'
import { isBlankText, isStorable } from '../text.ts'
import { beginsAsFormula, isMailbox } from './mailbox.ts'
import { saysCode } from './parse.ts'
import { readInstant } from './read-instant.ts'
import { type Wire, wireOf, withWire } from './wire.ts'

/** The schemas of inputs, for services. GraphQL inputs and OpenAPI are derived from their `wire` descriptions. */

export const described = <S extends z.ZodType>(schema: S, description: string, more: Partial<Wire> = {}): S =>
  withWire(schema.clone() as S, { ...wireOf(schema), description, ...more })

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && isBlankText(value))

/** Many forms send `state[]=` for a list in which nothing was selected. */
const isBlankList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isBlank)

// Presence. A field is absent, empty (null or a blank string), or has a value.

/** Rejects absent and empty. */
export const required = <S extends z.ZodType>(schema: S) =>
  withWire(
    z.preprocess((value) => (isBlank(value) ? undefined : value), schema),
    { ...wireOf(schema), required: true },
  )

/** Accepts absent. Empty counts as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  withWire(
    z.preprocess((value) => (isBlank(value) || isBlankList(value) ? undefined : value), schema.optional()).optional(),
    { ...wireOf(schema), nullable: true },
  )

/** For updates: absent keeps the value, empty is rejected. */
export const unchangedIfAbsent = <S extends z.ZodType>(schema: S) =>
  withWire(required(schema).optional(), { ...wireOf(schema), default: undefined })

/** For updates: absent keeps the value, empty clears it. */
export const clearable = <S extends z.ZodType>(schema: S) =>
  withWire(z.preprocess((value) => (isBlank(value) ? null : value), schema.nullable()).optional(), {
    ...wireOf(schema),
    default: undefined,
    nullable: true,
  })

// Values. Numbers and booleans can be strings, because clients send forms.

const blankMessage = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? "can't be blank" : message

/** Ids of sales can be numbers. Larger numbers lose digits in JSON, so two sales would get the same id. */
const isExact = (value: number) => Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER

export const textInput = (message = 'must be text') =>
  z.preprocess(
    (value) => {
      if (typeof value === 'number') return isExact(value) ? String(value) : value
      return typeof value === 'string' ? value.trim() : value
    },
    z.string({
      error: (issue) =>
        typeof issue.input === 'number'
          ? 'is a number that loses digits: send it as text'
          : blankMessage(message)(issue),
    }),
  )

export const text = (maxLength = 255) =>
  withWire(
    textInput().pipe(
      z
        .string()
        .max(maxLength, { error: `is too long (at most ${maxLength} characters)` })
        .refine(isStorable, { error: 'contains characters that cannot be stored' }),
    ),
    { type: 'string', maxLength },
  )

/** Control characters, and marks that turn the direction of the text around it. */
const disguises = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** A name that other people see. */
export const shownName = (maxLength: number) =>
  withWire(
    text(maxLength).refine((value) => !disguises.test(value), {
      error: 'must be one line, without control characters',
    }),
    { type: 'string', maxLength },
  )

export const file = () => withWire(z.string({ error: blankMessage('must be text') }), { type: 'string' })

const emailMessage = 'is not a valid e-mail address'
const address = (isValid: (value: string) => boolean) =>
  withWire(
    textInput(emailMessage).pipe(
      z.string().refine((value) => value.length <= 254 && isStorable(value) && isMailbox(value) && isValid(value), {
        error: emailMessage,
        params: saysCode('not_an_email'),
      }),
    ),
    { type: 'string', format: 'email', maxLength: 254, example: 'ada@example.com' },
  )
export const email = () => address((value) => !beginsAsFormula(value))
/** Where a program pays, which it knows best. Files of payouts leave out what a spreadsheet reads as a formula. */
export const payeeEmail = () => address(() => true)

const urlMessage = 'must be an absolute address that starts with http:// or https://'
export const url = () =>
  withWire(
    textInput(urlMessage).pipe(
      z
        .string()
        .max(2048, { error: 'is too long (at most 2048 characters)' })
        .refine((value) => /^https?:\/\/[^\s/][^\s]*$/i.test(value) && URL.canParse(value) && isStorable(value), {
          error: urlMessage,
          params: saysCode('not_a_url'),
          abort: true,
        })
        .refine((value) => !value.includes('\\') && !disguises.test(value), {
          error: 'must not have backslashes or control characters: some readers take them for another address',
          params: saysCode('not_a_url'),
        }),
    ),
    { type: 'string', format: 'uri', maxLength: 2048, example: 'https://acme.test/pricing' },
  )

/** Lower-case letters, digits, and single dashes between them. */
export const slug = () => {
  const message = 'may hold letters, digits and single dashes between them, 1 to 100 characters'
  return withWire(
    textInput(message).pipe(
      z
        .string()
        .toLowerCase()
        .max(100, { error: message })
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: message }),
    ),
    { type: 'string', pattern: '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$', minLength: 1, maxLength: 100, example: 'acme' },
  )
}

/** An id of another record. Any text is accepted, because the look-up reports unknown ids: "Affiliate not found." */
export const reference = () =>
  withWire(textInput().pipe(z.string().transform(ownCase)), {
    type: 'string',
    format: 'uuid',
    example: '01980f3e-8c00-7000-8000-000000000001',
  })

export const currency = () =>
  withWire(
    textInput('is not an ISO 4217 currency code').pipe(
      z.string().transform((code, context) => {
        const normalized = normalizeCurrency(code)
        if (normalized !== null) return normalized
        context.addIssue({ code: 'custom', message: 'is not an ISO 4217 currency code' })
        return z.NEVER
      }),
    ),
    { type: 'string', scalar: 'Currency', minLength: 3, maxLength: 3, example: 'usd' },
  )

const integerText = /^[+-]?\d{1,20}$/

export const cents = () => centsFrom(0n)

export const positiveCents = () => centsFrom(1n)

/** Also a negative amount. */
export const anyCents = () => centsFrom(-maxCents)

const centsFrom = (minimum: bigint) => {
  const message = `must be a whole number from ${minimum} to ${maxCents}`
  return withWire(
    z.preprocess(
      (value) =>
        typeof value === 'string' && integerText.test(value.trim())
          ? BigInt(value.trim())
          : typeof value === 'number' && Number.isSafeInteger(value)
            ? BigInt(value)
            : value,
      z
        .bigint({ error: blankMessage(message) })
        .min(minimum, { error: message })
        .max(maxCents, { error: message }),
    ),
    { type: 'integer', minimum: Number(minimum), maximum: Number(maxCents), example: 5000 },
  )
}

export const wholeNumber = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) => {
  const message =
    maximum === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${minimum}`
      : `must be a whole number from ${minimum} to ${maximum}`
  return withWire(
    z.preprocess(
      (value) => (typeof value === 'string' && integerText.test(value.trim()) ? Number(value) : value),
      z
        .number({ error: blankMessage(message) })
        .int({ error: message })
        .min(minimum, { error: message })
        .max(maximum, { error: message }),
    ),
    { type: 'integer', minimum, ...(maximum < Number.MAX_SAFE_INTEGER && { maximum }) },
  )
}

/** A percentage with up to two decimal places, parsed into basis points: 12.5 becomes 1250. */
export const percent = (maximum = 100) => {
  const percentMessage = `must be a number from 0 to ${maximum} with at most two decimal places`
  return withWire(
    z.preprocess(
      (value) =>
        typeof value === 'number' && Number.isFinite(value)
          ? String(value)
          : typeof value === 'string'
            ? value.trim()
            : value,
      z.string({ error: blankMessage(percentMessage) }).transform((value, context) => {
        const match = /^(\d{1,4})(?:\.(\d{1,2})0*)?$/.exec(value)
        const basisPoints = match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : Number.NaN
        if (basisPoints <= maximum * 100) return basisPoints
        context.addIssue({ code: 'custom', message: percentMessage })
        return z.NEVER
      }),
    ),
    { type: 'number', minimum: 0, maximum, example: 20 },
  )
}

const booleans: Record<string, boolean> = { true: true, false: false, '1': true, '0': false }
export const flag = () =>
  withWire(
    z.preprocess(
      (value) =>
        typeof value === 'string' || typeof value === 'number'
          ? (booleans[String(value).trim().toLowerCase()] ?? value)
          : value,
      z.boolean({ error: blankMessage('must be true or false') }),
    ),
    { type: 'boolean' },
  )

const instantMessage = 'must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z'

/** A date and time. Without a time zone it is UTC. */
export const instant = () =>
  withWire(
    z.preprocess(
      (value) => (typeof value === 'string' ? readInstant(value.trim()) : value),
      z
        .date({ error: blankMessage(instantMessage) })
        .min(new Date('1970-01-01T00:00:00Z'), { error: 'must be in 1970 or later' })
        .max(new Date('2199-12-31T23:59:59.999Z'), { error: 'must be before the year 2200' }),
    ),
    { type: 'string', format: 'date-time', example: '2026-01-31T12:00:00.000Z' },
  )

/** Any object. The service checks its fields. */
export const object = (error: string) =>
  z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error,
  })

/** An object whose fields the service checks. */
export const record = () => withWire(object('must be an object'), { type: 'object', scalar: 'JSONObject' })

/** Conditions of a list. They are JSON in the request; the transport parses them into an object. */
export const conditions = () => withWire(object('must be conditions as JSON'), { type: 'string', maxLength: 10_000 })

/** Conditions on the rows of a listing, as GraphQL has them. The service checks them with `toRule`. */
export const where = (noun: string) => withWire(conditions(), { type: 'object', whereOf: noun })

export const oneOf = <const T extends readonly [string, ...string[]]>(enumName: string, values: T) =>
  withWire(
    z.preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(values, { error: blankMessage(`must be one of: ${values.join(', ')}`) }),
    ),
    { type: 'string', enum: values, enumName },
  )

/** The values of a list: `a,b` in a query is two. Blank ones are left out, unless all are blank. */
export function listedValues(given: unknown): unknown[] {
  const values = [given].flat().flatMap((value) => (typeof value === 'string' ? value.split(',') : [value]))
  const present = values.filter((value) => !isBlank(value))
  return present.length > 0 || Array.isArray(given) ? present : values
}

/** One or several values of a documented enum. A single value is read as a list; blank items are ignored. */
export const someOf = <const T extends readonly [string, ...string[]]>(enumName: string, values: T) => {
  const item = oneOf(enumName, values)
  return withWire(z.preprocess(listedValues, z.array(item)), { type: 'array', items: wireOf(item) })
}
