import { type CheckedStatement, type Jwks, type Report, statementsIn, verifyStatements } from '../src/index.ts'

// The page at /verify. It reads files in the browser, and sends nothing: its Content-Security-Policy allows no connection.

const root = document.getElementById('page') as HTMLElement
let jwks = JSON.parse(document.getElementById('keys')?.textContent ?? '{"keys":[]}') as Jwks
let chosen: File[] = []

function element(name: string, text = '', children: readonly Node[] = [], className = ''): HTMLElement {
  const made = document.createElement(name)
  if (text) made.textContent = text
  if (className) made.className = className
  made.append(...children)
  return made
}

function fileField(label: string, hint: string, multiple: boolean, onFiles: (files: File[]) => void): HTMLElement {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', accept: '.json,application/json', multiple })
  input.addEventListener('change', () => onFiles([...(input.files ?? [])]))
  return element('label', '', [element('span', label), element('small', hint), input])
}

const result = element('section')
result.setAttribute('aria-live', 'polite')

/** Amounts are shown in minor units as they are signed, and as people write them. */
function money(cents: string, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() })
  return format.format(Number(cents) / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

async function verify(): Promise<void> {
  if (chosen.length === 0) return
  if (!crypto.subtle)
    return result.replaceChildren(
      element('p', 'This browser verifies only on a page with https, or on a saved page.', [], 'bad'),
    )
  try {
    const given = []
    for (const file of chosen) given.push(...statementsIn(file.name, JSON.parse(await file.text())))
    given.sort((a, b) => numberOf(a.statement) - numberOf(b.statement))
    show(await verifyStatements(given, jwks))
  } catch (error) {
    result.replaceChildren(element('p', `The file cannot be read: ${(error as Error).message}`, [], 'bad'))
  }
}

/** Files are chosen in any order. */
const numberOf = (statement: unknown): number =>
  (statement as { header?: { number?: number } } | null)?.header?.number ?? 0

function show({ isGood, findings, statements }: Report): void {
  const verdict = isGood
    ? element('p', 'Genuine, unchanged, whole, and in the chain. Every commission was computed again.', [], 'good')
    : element('p', 'Something is wrong:', [], 'bad')
  const list = element(
    'ul',
    '',
    findings.map(({ file, line, what }) => element('li', `${file}${line === null ? '' : `, line ${line}`}: ${what}`)),
  )
  result.replaceChildren(verdict, list, ...statements.map(statementView))
}

function statementView(statement: CheckedStatement): HTMLElement {
  const { month, currency, affiliateName, affiliateId, number, openingCents, closingCents, lines } = statement
  const row = (...cells: (string | Node)[]) =>
    element(
      'tr',
      '',
      cells.map((cell) => (typeof cell === 'string' ? element('td', cell) : element('td', '', [cell]))),
    )
  const rows = lines.map(({ number: place, text, amountCents, steps, note }) => {
    const told = [...steps, ...(note ? [note] : [])].map((step) => element('small', step))
    return row(String(place), element('div', text, told), money(amountCents, currency))
  })
  return element('article', '', [
    element('h2', `${month}, ${currency.toUpperCase()}, ${affiliateName ?? affiliateId}`),
    ...(statement.sandbox
      ? [element('p', 'This is a statement of a sandbox: nothing of it was ever owed.', [], 'bad')]
      : []),
    element('p', `Statement ${number}, signed with the key ${statement.keyId}. SHA-256 ${statement.hash}`),
    ...(statement.erasedTexts > 0 ? [element('p', `${statement.erasedTexts} personal texts were erased.`)] : []),
    element('table', '', [
      row('', 'Opening balance', money(openingCents, currency)),
      ...rows,
      row('', 'Closing balance', money(closingCents, currency)),
    ]),
  ])
}

root.replaceChildren(
  element('h1', 'Verify a statement'),
  element(
    'p',
    'This page checks statements in your browser. It sends nothing, and works without a network: you can save it.',
  ),
  fileField('Statements', 'One or more files ending with .json', true, (files) => {
    chosen = files
    void verify()
  }),
  fileField('Other public keys', 'The file jwks.json, if the statement is from elsewhere', false, async ([file]) => {
    if (file) jwks = JSON.parse(await file.text()) as Jwks
    void verify()
  }),
  result,
)
