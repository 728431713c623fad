import type { z } from 'zod'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { toMajorUnits } from '../../kernel/money/decimals.ts'
import type { Changes, Money } from './changes.ts'

/** What the verbs of proposals need. `publicUrl` is the base of the pages for affiliates, `key` the installation's. */
export type ProposalCtx = ProgramCtx & {
  publicUrl: string
  key: Buffer
  /** The client of the operation, in whose transactions a verb opens its own. */
  whole: AppDb
}

/** What confirming does. `text` has no names of people: an erased person leaves no trace in it. */
export type Effect = { text: string; money: readonly Money[] }

/** A kind of proposal. */
export type Kind<S extends z.ZodObject = z.ZodObject> = {
  /** What confirming it does, for who proposes. */
  meaning: string
  /** The mutation that does the same. Who confirms needs the role that it needs. */
  mutation: string
  /** Its arguments. */
  arguments: S
  /** The given arguments as they are kept: with defaults that would be others when the proposal is confirmed. */
  kept?(ctx: ProposalCtx, given: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Its effect, if that takes long to compute. The verb then rejects a proposal whose effect has changed since. */
  plan?(ctx: ProposalCtx, args: z.output<S>): Promise<Effect>
  /**
   * Runs the verb of the mutation, as the actor of `ctx`.
   * @returns what it has done, from what commissions became. Null if there is a `plan`
   */
  run(ctx: ProposalCtx, args: z.output<S>, reason: string): Promise<((changes: Changes) => Effect) | null>
}

/** Types the arguments of a kind, and hides their type from the list of kinds. */
export const defineKind = <S extends z.ZodObject>(kind: Kind<S>): Kind => kind as unknown as Kind

/** "34.65 EUR", "12.00 EUR and 3.00 USD". */
export const sumsInWords = (sums: readonly Money[]): string =>
  sums
    .map(({ amountCents, currency }) => `${toMajorUnits(amountCents, currency)} ${currency.toUpperCase()}`)
    .join(' and ') || 'nothing'

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
