/** What a migration does to a table that has rows: what others wait for, or what takes the longer the larger it is. */
export type Effect = {
  table: string
  /** `changes rows` writes rows; the others read or write the whole table, or only lock it for a moment. */
  does: 'locks' | 'blocks writes' | 'reads all rows' | 'rewrites' | 'changes rows'
}

const name = String.raw`(?:ONLY\s+)?"?([a-z_]+)"?`

const changes: [RegExp, Effect['does']][] = [
  [new RegExp(`^UPDATE\\s+${name}`, 'i'), 'changes rows'],
  [new RegExp(`^DELETE\\s+FROM\\s+${name}`, 'i'), 'changes rows'],
  [new RegExp(`^INSERT\\s+INTO\\s+${name}[\\s\\S]*\\bSELECT\\b`, 'i'), 'changes rows'],
  [new RegExp(`^CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+(?!CONCURRENTLY)[\\s\\S]*?\\sON\\s+${name}`, 'i'), 'blocks writes'],
]

const alter = new RegExp(`^ALTER\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?${name}([\\s\\S]*)`, 'i')
const rewriting =
  /ALTER\s+(?:COLUMN\s+)?"?\w+"?\s+(?:SET\s+DATA\s+)?TYPE\b|GENERATED\s+ALWAYS\s+AS\s*\([\s\S]*STORED|DEFAULT\s+(?:gen_random_uuid|random|clock_timestamp|nextval)\b/i
const checking =
  /SET\s+NOT\s+NULL|ADD\s+CONSTRAINT[\s\S]*(?:CHECK|FOREIGN\s+KEY|EXCLUDE)\b(?![\s\S]*NOT\s+VALID)|VALIDATE\s+CONSTRAINT/i

/** What the statements of a migration do to the tables that it does not create. It reads the text, and runs nothing. */
export function effectsOf(script: string): Effect[] {
  const statements = statementsOf(script)
  const created = new Set(
    statements.flatMap((text) => tableOf(/^CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?([a-z_]+)"?/i, text)),
  )
  const found = statements.flatMap(effectOf).filter(({ table }) => !created.has(table))
  return found.filter(
    ({ table, does }, index) => found.findIndex((one) => one.table === table && one.does === does) === index,
  )
}

function effectOf(statement: string): Effect[] {
  // The last part of WITH … is what writes.
  const text = /^WITH\b/i.test(statement) ? statement.slice(statement.search(/\b(UPDATE|DELETE|INSERT)\b/i)) : statement
  const [, table, what = ''] = alter.exec(text) ?? []
  if (table)
    return [{ table, does: rewriting.test(what) ? 'rewrites' : checking.test(what) ? 'reads all rows' : 'locks' }]
  return changes.flatMap(([form, does]) => tableOf(form, text).map((table) => ({ table, does }))).slice(0, 1)
}

const tableOf = (form: RegExp, text: string): string[] => {
  const [, table] = form.exec(text) ?? []
  return table ? [table] : []
}

/** The statements of a script, without comments. A text in dollars is part of its statement. */
function statementsOf(script: string): string[] {
  const parts = script.split(/(\$\w*\$[\s\S]*?\$\w*\$|'(?:[^']|'')*')/)
  const plain = parts.map((part, index) => (index % 2 === 1 ? 'text' : part.replace(/--[^\n]*/g, '')))
  return plain
    .join('')
    .split(';')
    .map((text) => text.trim())
    .filter(Boolean)
}
