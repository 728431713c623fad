import type { PayoutItemState } from '../../generated/prisma/enums.ts'

/** A row of a service's report: its texts, and what its columns say. `state` is null for words that are not known. */
export type ReportRow = {
  line: number
  cells: string[]
  word: string
  state: PayoutItemState | null
  reference: string | undefined
  reason: string | undefined
  /** When it happened. Null if the report does not say it. */
  at: Date | null
  /** The amount and the fee, as they are written, and their currency in lower case. Empty if the report lacks them. */
  amount: string
  fee: string
  currency: string
  /** Whether the row books money that came in: it takes a payment back. */
  isIncoming: boolean
  /** The id of a run, if the row is about all its payments. */
  ofRun?: string
}
