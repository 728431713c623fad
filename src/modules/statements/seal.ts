import type { Program, StatementMonth } from '../../generated/prisma/client.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { hashOfText } from './hashes.ts'

/** What a seal signs, as text. */
export const textOfSeal = (seal: string): string =>
  Buffer.from(seal.split('.')[1] as string, 'base64url').toString('utf8')

type Closed = Pick<StatementMonth, 'month' | 'number' | 'fromAt' | 'untilAt' | 'timeZone'> & {
  count: number
  root: string
  closedAt: Date
}

/** What is signed of a month, with the hash of what was signed of the month before. */
export const sealedText = (
  { id, isSandbox }: Pick<Program, 'id' | 'isSandbox'>,
  { month, number, fromAt, untilAt, timeZone, count, root, closedAt }: Closed,
  sealBefore: string | null,
): string =>
  canonicalJson({
    format: 'tributary-month-1',
    program: { id, sandbox: isSandbox },
    month,
    number,
    timeZone,
    from: fromAt.toISOString(),
    until: untilAt.toISOString(),
    closedAt: closedAt.toISOString(),
    statements: count,
    root,
    previous: sealBefore === null ? null : hashOfText(textOfSeal(sealBefore)),
  })
