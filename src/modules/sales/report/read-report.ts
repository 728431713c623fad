import { z } from 'zod'
import type { Program, UnattributedSale } from '../../../generated/prisma/client.ts'
import { addDays } from '../../../kernel/dates.ts'
import { invalid, type Problem, type TributaryError } from '../../../kernel/errors.ts'
import { needsOneOf, problem, readFields } from '../../../kernel/input/parse.ts'
import { readClaims } from '../../affiliates/agents/read-claims.ts'
import { isCouponCode } from '../../affiliates/coupons/code.ts'
import type { DroppedField, FeedReport, TriedSignal } from '../decision.ts'
import { readSaleItems } from '../items/read-items.ts'
import { signals } from '../signals/all.ts'
import { type ConversionInput, droppableFields, reportConversionInput } from './input.ts'

/** A report that can be recorded: its usable fields, and those that were left out. */
export type ReadReport = {
  input: ConversionInput
  dropped: DroppedField[]
  feed?: FeedReport
  /** Other ids of the same payment. */
  aliases?: readonly string[]
}

/** A valid report without a usable signal. The sale is kept, and the report fails with `error`. */
export type SignallessReport = ReadReport & { signals: TriedSignal[]; error: TributaryError }

const signalFields = signals.map(({ field }) => field)
const noSignal: Problem = { message: 'At least one of referral_id, email, coupon must be provided.' }

/** Reads a report: amounts must be valid, other bad fields are dropped. @throws INVALID_INPUT with every problem */
export function readReport(
  raw: unknown,
  now: Date,
  program: Pick<Program, 'agentProvider'>,
): ReadReport | SignallessReport {
  const { readable: given, problems } = readFields(reportConversionInput, raw)
  const { claims: affiliateAttribution, problems: ofAgents } = readClaims(given.affiliateAttribution, program)
  const readable = { ...given, affiliateAttribution }
  problems.push(...ofAgents)
  if (readable.occurredAt && readable.occurredAt > addDays(now, 1))
    problems.push(problem('occurredAt', 'may lie at most one day ahead'))
  const items = readSaleItems(readable.items, readable.amountCents)
  problems.push(...items.problems)
  const isDropped = ({ field }: Problem) => field !== undefined && droppableFields.includes(field)
  const missing = needsOneOf(signalFields, noSignal)(readable, problems)
  if (!problems.every(isDropped)) throw invalid([...problems, ...missing])
  const input = { ...readable, items: items.value } as ConversionInput
  const dropped = [...problems.map(droppedField), ...(input.coupon?.every(isCouponCode) === false ? [foreignCode] : [])]
  if (signalFields.some((field) => input[field] !== undefined)) return { input, dropped }
  const isSignal = ({ field }: Problem) => signalFields.some((name) => name === field)
  const tried = signals.flatMap(({ signal, field, isRare }): TriedSignal[] => {
    const outcome = problems.some((one) => one.field === field) ? 'not_usable' : 'not_given'
    return isRare && outcome === 'not_given' ? [] : [{ signal, outcome }]
  })
  return { input, dropped, signals: tried, error: invalid(missing.length > 0 ? missing : problems.filter(isSignal)) }
}

export function readKept(kept: Pick<UnattributedSale, 'email' | 'customerName' | 'billingCustomerId'>) {
  const { email, customerName, billingCustomerId } = reportConversionInput.shape
  const { readable: input, problems } = readFields(z.object({ email, customerName, billingCustomerId }), kept)
  return { input, dropped: problems.map(droppedField) }
}

/** The coupon codes of a kept report. None if they could not be read. */
export const readCodes = (sent: string | null): readonly string[] =>
  reportConversionInput.shape.coupon.safeParse(sent ?? undefined).data ?? []

const droppedField = ({ field = '', message }: Problem): DroppedField => ({ field, problem: message })

const foreignCode: DroppedField = {
  field: 'coupon',
  problem:
    'Coupon has a code that no affiliate can have: their codes have letters, digits, - _ . % + and single blanks',
}
