import type { Answer } from '../http/answer.ts'

/** What `Query.payoutRun` returns over REST. */
export type PayoutFile = { csv: string; file_name: string; skipped_count: number }

/** @param body the JSON of a result */
export const resultAnswer = (body: string, status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body,
})

/** The body is the file; the rest of the result is in headers. */
export const fileAnswer = ({ csv, file_name: fileName, skipped_count: skippedCount }: PayoutFile): Answer => ({
  status: 200,
  headers: {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'X-Skipped-Payouts': String(skippedCount),
  },
  body: csv,
})
