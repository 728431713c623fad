/** Something that is wrong. `line` is the number of the line that it is in. */
export type Finding = { file: string; line: number | null; what: string }

/** A line, and how its commission was computed again. */
export type CheckedLine = {
  number: number
  kind: string
  text: string
  amountCents: string
  steps: string[]
  note: string | null
}

export type CheckedStatement = {
  file: string
  id: string
  affiliateId: string
  /** Null if it was erased, or was never known. */
  affiliateName: string | null
  month: string
  currency: string
  number: number
  openingCents: string
  closingCents: string
  keyId: string
  sandbox: boolean
  hash: string
  lines: CheckedLine[]
  /** How many personal texts were erased: their hashes stay. */
  erasedTexts: number
}

export type Report = { isGood: boolean; findings: Finding[]; statements: CheckedStatement[] }
