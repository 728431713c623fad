import type { Payout, Program } from '../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../generated/prisma/enums.ts'
import type { Problem } from '../../kernel/errors.ts'
import type { Client } from '../../kernel/slices.ts'
import type { FilePayout, PaidPayout } from './payee.ts'
import type { ReportRow } from './report-row.ts'

/** What a file says of the run as a whole. Its totals are known when all payouts are. */
export type FileRun = { id: string; createdAt: Date; count: number; amountCents: bigint }

/** How the file of a run is written: its beginning when the totals are known, and rows as they come. */
export type PayoutFile = {
  /** The end of its name, such as `wise.csv`. */
  name: string
  /** How many payouts the service takes in one file. */
  maxRows: number
  /** Whether it is CSV, so that it can begin with a byte-order mark. */
  isCsv: boolean
  /** Whether it has the number of commissions of each payout. */
  countsCommissions: boolean
  /**
   * For files that can be asked for without a run, as in the contract: what it is called there beside the name of the
   * method, and what it is: "`generic` has all fields".
   */
  format?: { word: string; meaning: string }
  start(run: FileRun, program: Program): string
  rows(payouts: readonly FilePayout[], program: Program): string
  end: string
}

/** What a method understands of the reports of its service. */
export type Report = {
  /** What the words of the status mean, in small letters without signs. What is still on its way changes nothing. */
  words?: Readonly<Record<string, PayoutItemState>>
  /** Reads a message of the service, such as XML of a bank. Null if the file is something else. */
  readMessage?(client: Client, file: string): Promise<ReportRow[]> | null
  /** What a report can call a payment, beside the id of the payout with and without dashes. */
  referencesOf?(payout: Pick<Payout, 'id'>): readonly string[]
}

/**
 * How payouts are paid. Where affiliates are paid is in `addresses.ts`. A method that a service's API sends will have
 * its calls beside `file`.
 */
export type Method<Reason extends string = string> = {
  /** How it pays, as GraphQL describes it. */
  description: string
  /** The file of a run. Null: payments by hand have none. */
  file: PayoutFile | null
  report: Report
  /** Why it cannot pay a payout, with the words of GraphQL. Pages have words of their own. */
  reasons: Readonly<Partial<Record<Reason, string>>>
  /** The first reason why it cannot pay the payout, or null. */
  skipReason(payout: PaidPayout): NoInfer<Reason> | null
  /** Problems of fields that their form does not show, such as check digits. */
  fieldProblems?(fields: Readonly<Record<string, unknown>>): Problem[]
  /** Why no run of the program can be made, in a sentence, or null. */
  refusal?(program: Program): string | null
  /**
   * Whether the service is a third party settlement organization, which reports what it paid to its payees by itself
   * (Form 1099-K): then the payer does not report it. Source: 26 U.S.C. 6050W, and the IRS's Instructions for Forms
   * 1099-MISC and 1099-NEC.
   */
  reportsPayees?: true
  /** Whether the service compares the name with that of an account. */
  checksName: boolean
  /** If it pays no parts of a unit in some currencies: what it pays of a payout in cents, and why it is not all. */
  rounding?: {
    centsOf(payout: Pick<Payout, 'amountCents' | 'currency'>): bigint
    reasonIn(currency: string): string
  }
}

/** A method, with the type of its reasons. */
export const defineMethod = <const Reason extends string = never>(
  method: Method<Reason> & { reasons: Record<Reason, string> },
): Method<Reason> => method
