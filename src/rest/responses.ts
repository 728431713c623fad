import { textResponse } from '../http/response.ts'

/** What `Query.payoutRun` returns over REST. */
export type PayoutFile = { csv: string; file_name: string; skipped_count: number }

export function jsonResponse(data: unknown, status: number): Response {
  const body = JSON.stringify(data)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  return textResponse(body, { status, headers })
}

/** The body is the file; the rest of the result is in headers. */
export const fileResponse = ({ csv, file_name: fileName, skipped_count: skippedCount }: PayoutFile): Response =>
  textResponse(csv, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'X-Skipped-Payouts': String(skippedCount),
    },
  })
