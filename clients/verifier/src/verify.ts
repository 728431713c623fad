import { canonical, type Json, type JsonObject } from './canonical.ts'
import { computeCommission } from './commission.ts'
import { hashOf, hashOfText, isHash, rootOf } from './hashes.ts'
import { ledgerOf } from './ledger.ts'
import type { CheckedLine, CheckedStatement, Finding, Report } from './report.ts'
import { type Jwks, type OpenedSeal, openSeal } from './seal.ts'

const format = 'tributary-statement-1'
const monthFormat = 'tributary-month-1'

/** A statement of a file: the parsed JSON, and what the file is called. */
export type Given = { file: string; statement: unknown }

type Checked = CheckedStatement & { header: JsonObject; seal: OpenedSeal }

type Note = (line: number | null, what: string) => void

/**
 * Verifies statements with public keys alone, without a network. Of one statement: whether a key signed it, whether every
 * byte of it is what was signed, and whether it sums; and every commission is computed again. Of several, also whether they
 * follow each other without a gap, in the order in which they are given.
 */
export async function verifyStatements(given: readonly Given[], jwks: Jwks): Promise<Report> {
  const findings: Finding[] = []
  const checked: Checked[] = []
  for (const { file, statement } of given) {
    const note: Note = (line, what) => void findings.push({ file, line, what })
    try {
      const one = await verifyOne(file, statement, jwks, note)
      if (one) checked.push(one)
    } catch (error) {
      note(null, `This is not a statement: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  findings.push(...(await brokenChains(checked)))
  if (given.length === 0) findings.push({ file: '', line: null, what: 'There is no statement to verify.' })
  return {
    isGood: findings.length === 0,
    findings,
    statements: checked.map(({ header: _, seal: __, ...one }) => one),
  }
}

/** The statements of a file: one, a list, or an object with the list `statements`. */
export function statementsIn(file: string, json: unknown): Given[] {
  const list = (json as { statements?: unknown } | null)?.statements ?? json
  if (!Array.isArray(list)) return [{ file, statement: list }]
  return list.map((statement, index) => ({ file: `${file}, statement ${index + 1}`, statement }))
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fields = ['disclosed', 'format', 'header', 'lines', 'proof', 'seal']
const namesOf = (object: JsonObject): string => Object.keys(object).sort().join(' ')

async function verifyOne(file: string, statement: unknown, jwks: Jwks, note: Note): Promise<Checked | null> {
  if (!isObject(statement) || statement.format !== format) {
    note(null, `This is not a statement: its format must be "${format}".`)
    return null
  }
  const { header, lines, disclosed, proof, seal } = statement
  if (
    !isObject(header) ||
    !Array.isArray(lines) ||
    !isObject(disclosed) ||
    !isObject(proof) ||
    typeof seal !== 'string'
  ) {
    note(null, 'This is not a whole statement: its header, lines, disclosed texts, proof or seal is missing.')
    return null
  }
  if (namesOf(statement) !== fields.join(' ')) note(null, `It has other fields than ${fields.join(', ')}.`)
  if (header.format !== format) note(null, `The format of the header must be "${format}".`)
  const rows = lines as readonly JsonObject[]
  await checkLines(header, rows, note)
  const erasedTexts = await checkTexts(header, rows, disclosed, note)
  const opened = await openSeal(seal, jwks)
  await checkProof(header, proof, opened, note)
  return {
    file,
    header,
    seal: opened,
    id: String(header.id),
    affiliateId: String((header.affiliate as JsonObject).id),
    affiliateName: textOf(disclosed, 'affiliate.name') ?? textOf(disclosed, 'affiliate.company'),
    month: String(header.month),
    currency: String(header.currency),
    number: Number(header.number),
    openingCents: String(header.openingCents),
    closingCents: String(header.closingCents),
    keyId: opened.keyId,
    sandbox: (header.program as JsonObject).sandbox === true,
    hash: String(proof.hash),
    lines: checkAmounts(header, rows, note),
    erasedTexts,
  }
}

const textOf = (disclosed: JsonObject, name: string): string | null =>
  ((disclosed[name] as JsonObject | undefined)?.text as string | undefined) ?? null

/** Each line has its hash in the header, at the same place. */
async function checkLines({ lines: hashes }: JsonObject, rows: readonly JsonObject[], note: Note): Promise<void> {
  const expected = hashes as readonly Json[]
  const actual = await Promise.all(rows.map((row) => hashOf(row)))
  for (const [index, hash] of actual.entries()) {
    if (hash === expected[index]) continue
    const number = index + 1
    const place = expected.indexOf(hash)
    if (place >= 0 && actual.indexOf(hash) !== index) note(number, `Line ${number} is there twice.`)
    else if (place >= 0) note(number, `Line ${number} is not in its place: it is line ${place + 1}.`)
    else note(number, `Line ${number} was changed: its hash is not that of the header.`)
    break
  }
  if (actual.length < expected.length) {
    const missing = expected.findIndex((hash) => !actual.includes(String(hash)))
    note(
      missing < 0 ? null : missing + 1,
      `Line ${missing < 0 ? expected.length : missing + 1} is missing: there are ${actual.length} lines of ${expected.length}.`,
    )
  }
  if (actual.length > expected.length)
    note(expected.length + 1, `There are ${actual.length} lines, and ${expected.length} were signed.`)
}

/** Personal texts match their salted hashes. One that is missing was erased, which the signature allows. */
async function checkTexts(
  { affiliate }: JsonObject,
  rows: readonly JsonObject[],
  disclosed: JsonObject,
  note: Note,
): Promise<number> {
  const hashes = new Map<string, { hash: Json; line: number | null }>()
  for (const [name, hash] of Object.entries(affiliate as JsonObject))
    if (name !== 'id') hashes.set(`affiliate.${name}`, { hash, line: null })
  rows.forEach((row, index) => {
    if (row.reason !== undefined) hashes.set(`lines.${index + 1}.reason`, { hash: row.reason, line: index + 1 })
  })
  for (const [name, text] of Object.entries(disclosed)) {
    const signed = hashes.get(name)
    if (!signed) note(null, `The text ${name} was not signed.`)
    else if ((await hashOf(text)) !== signed.hash)
      note(signed.line, `The text ${name} was changed: its hash is not the signed one.`)
  }
  return [...hashes.keys()].filter((name) => disclosed[name] === undefined).length
}

/** The header leads to the root that was signed. */
async function checkProof(
  header: JsonObject,
  proof: JsonObject,
  { payload, problem }: OpenedSeal,
  note: Note,
): Promise<void> {
  if (problem) note(null, problem)
  const hash = await hashOf(header)
  if (namesOf(proof) !== 'hash index path') note(null, 'The proof has other fields than hash, index and path.')
  if (proof.hash !== hash) note(null, 'The header was changed, or the hash of the proof: they are not of each other.')
  const { index, path } = proof
  const size = payload.statements
  if (
    !Number.isInteger(index) ||
    !Number.isInteger(size) ||
    Number(index) < 0 ||
    Number(index) >= Number(size) ||
    !Array.isArray(path) ||
    !path.every(isHash)
  )
    note(null, 'The proof is broken: its index or its path cannot be.')
  else if ((await rootOf(hash, Number(index), Number(size), path)) !== payload.root)
    note(null, 'The statement is not in the month that was signed: its proof does not lead to the signed root.')
  if (payload.format !== monthFormat) note(null, `What was signed must have the format "${monthFormat}".`)
  for (const name of ['program', 'month', 'timeZone', 'from', 'until'])
    if (canonical(payload[name] ?? null) !== canonical(header[name] ?? null))
      note(null, `The signed month has another ${name} than the statement.`)
}

/** It sums, each line does what it says, and every commission is computed again. */
function checkAmounts(header: JsonObject, rows: readonly JsonObject[], note: Note): CheckedLine[] {
  const { openingCents, closingCents, number, previous } = header
  const ledger = ledgerOf()
  const sum = rows.reduce((cents, { amountCents }) => cents + BigInt(String(amountCents)), BigInt(String(openingCents)))
  if (String(sum) !== closingCents)
    note(null, `It does not sum: the opening balance and the lines are ${sum}, not ${closingCents}.`)
  if ((number === 1) !== (previous === null)) note(null, 'Only the first statement has no statement before it.')
  return rows.map((row, index) => {
    const place = index + 1
    if (row.number !== place) note(place, `Line ${place} says that it is line ${String(row.number)}.`)
    const problem = ledger.problemOf(rows, index)
    if (problem) note(place, problem)
    const { steps, remark } = computedOf(row, (what) => note(place, what))
    const { kind, text, amountCents } = row as Record<string, string>
    return { number: place, kind: kind ?? '', text: text ?? '', amountCents: amountCents ?? '', steps, note: remark }
  })
}

function computedOf(row: JsonObject, note: (what: string) => void): { steps: string[]; remark: string | null } {
  const { calculation } = row
  if (!isObject(calculation)) return { steps: [], remark: null }
  const { steps, problem, cents } = computeCommission(calculation)
  if (problem) note(problem)
  const { amountCents, state } = (row.commission as JsonObject).after as Record<string, string>
  const worth = state === 'void' ? '0' : amountCents
  const { by } = calculation
  if (by === 'rule' && String(cents) !== worth) note(`The rule gives ${cents}, and the commission is ${worth}.`)
  if (by === 'rule') return { steps, remark: null }
  const who = by === 'person' ? 'A person has set' : 'Facts beside this statement have led to'
  return { steps, remark: `${who} ${worth} instead of the ${cents} of the rule.` }
}

/** Several statements of an affiliate in a currency follow each other, in the order in which they are given. */
async function brokenChains(checked: readonly Checked[]): Promise<Finding[]> {
  const findings: Finding[] = []
  const last = new Map<string, Checked>()
  for (const one of checked) {
    const key = `${canonical(one.header.program ?? null)} ${one.affiliateId} ${one.currency}`
    const before = last.get(key)
    last.set(key, one)
    if (!before) continue
    const add = (what: string) => findings.push({ file: one.file, line: null, what })
    if (one.number === before.number) add(`The statement ${one.number} of ${one.month} is there twice.`)
    else if (one.number < before.number)
      add(`The statements are not in order: ${one.month} comes after ${before.month}.`)
    else if (one.number > before.number + 1) add(`A statement is missing between ${before.month} and ${one.month}.`)
    else {
      if (one.header.previous !== before.hash)
        add(`${one.month} does not follow from ${before.month}: it names another statement before it.`)
      if (one.openingCents !== before.closingCents)
        add(`${one.month} opens with ${one.openingCents}, but ${before.month} closed with ${before.closingCents}.`)
    }
    const [month, monthBefore] = [one.seal.payload, before.seal.payload]
    if (
      Number(month.number) === Number(monthBefore.number) + 1 &&
      month.previous !== (await hashOfText(before.seal.text))
    )
      add(`The signed month ${one.month} does not follow from ${before.month}.`)
  }
  return findings
}
