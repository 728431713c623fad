import type { Affiliate, Program, Statement } from '../../generated/prisma/client.ts'
import { canonicalJson, type Json } from '../../kernel/canonical-json.ts'
import { type DisclosedText, disclosedText, hashOf, hashOfText, saltedHash } from './hashes.ts'
import type { BookedMonth } from './lines.ts'

/** The form of statements. docs/statement-format.md describes it. */
export const format = 'tributary-statement-1'

export type Disclosed = Record<string, DisclosedText>

/** The statement before this one, of the affiliate in the currency. */
export type Before = { number: number; hash: string; closingCents: bigint } | null

type Made = Pick<
  Statement,
  'number' | 'openingCents' | 'closingCents' | 'previousHash' | 'hash' | 'header' | 'lines'
> & { disclosed: Disclosed }

type Person = Pick<Affiliate, 'id' | 'firstName' | 'lastName' | 'email' | 'company' | 'postalAddress'>

/** Whom it is for. Each text is signed as a salted hash, so that it can be erased. */
function personOf(affiliate: Person): { hashes: Record<string, string>; disclosed: Disclosed } {
  const name = [affiliate.firstName, affiliate.lastName].filter(Boolean).join(' ')
  const texts = { name, email: affiliate.email, company: affiliate.company, address: affiliate.postalAddress }
  const given = Object.entries(texts).flatMap(([field, text]) => (text ? [[field, disclosedText(text)] as const] : []))
  return {
    hashes: Object.fromEntries(given.map(([field, text]) => [field, saltedHash(text)])),
    disclosed: Object.fromEntries(given.map(([field, text]) => [`affiliate.${field}`, text])),
  }
}

/** Makes a statement of what was booked, which opens where the one before closed. */
export function makeStatement(
  id: string,
  program: Pick<Program, 'id' | 'isSandbox'>,
  affiliate: Person,
  month: { month: string; timeZone: string; fromAt: Date; untilAt: Date },
  { currency, lines, sumCents, disclosed }: BookedMonth,
  before: Before,
  openingCents: bigint,
): Made {
  const person = personOf(affiliate)
  const closingCents = openingCents + sumCents
  const number = (before?.number ?? 0) + 1
  const previousHash = before?.hash ?? null
  const header = canonicalJson({
    format,
    id,
    number,
    program: { id: program.id, sandbox: program.isSandbox },
    affiliate: { id: affiliate.id, ...person.hashes },
    currency,
    month: month.month,
    timeZone: month.timeZone,
    from: month.fromAt.toISOString(),
    until: month.untilAt.toISOString(),
    openingCents: String(openingCents),
    closingCents: String(closingCents),
    previous: previousHash,
    lines: lines.map((line) => hashOf(line)),
  })
  return {
    number,
    openingCents,
    closingCents,
    previousHash,
    hash: hashOfText(header),
    header,
    lines: canonicalJson(lines),
    disclosed: { ...person.disclosed, ...disclosed },
  }
}

type Signed = Pick<Statement, 'header' | 'lines' | 'disclosed' | 'index' | 'path' | 'hash'> & {
  of: { seal: string | null }
}

/** The statement as a file that can be verified without this service. */
export const fileOf = ({ header, lines, disclosed, index, path, hash, of }: Signed): Record<string, Json> => ({
  format,
  header: JSON.parse(header) as Json,
  lines: JSON.parse(lines) as Json,
  disclosed: disclosed as Json,
  proof: { hash, index, path: path as Json },
  seal: of.seal,
})
