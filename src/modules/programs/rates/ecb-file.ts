import { type CsvRecord, readCsv, UnreadableCsv } from '../../../kernel/csv.ts'
import { invalid, type Problem } from '../../../kernel/errors.ts'
import type { Client } from '../../../kernel/slices.ts'
import { excerpt } from '../../../kernel/text.ts'
import { billionthsOf, type Rate } from './convert.ts'
import { dayOfText } from './day.ts'

const mostDays = 1_000
const limits = { lines: mostDays + 2, recordLength: 4_000, columns: 100, trims: true }
/** How many problems an answer has. */
const mostProblems = 20

/**
 * Reads rates of the euro from `eurofxref.csv` (one day) or `eurofxref-hist.csv` of the European Central Bank.
 * Currencies with `N/A`, or with nothing, have no rate on that day.
 * @throws INVALID_INPUT with the line of each problem: nothing of a file with a problem is used
 */
export async function readEcbFile(client: Client, csv: string): Promise<Rate[]> {
  const problems: Problem[] = []
  const say = (message: string) => problems.push({ field: 'csv', message })
  const rates: Rate[] = []
  const days = new Set<string>()
  let currencies: (string | null)[] | undefined
  const take = ({ values, line }: CsvRecord): boolean => {
    if (!currencies) currencies = headerOf(values, line, say)
    else readDay(values, line)
    return problems.length < mostProblems
  }
  const readDay = ([written = '', ...cells]: string[], line: number) => {
    const day = dayOfText(written)
    if (day === null) return say(`Line ${line}: "${excerpt(written)}" is not a day, such as 2026-11-27.`)
    if (days.has(day)) return say(`Line ${line}: the day ${day} is there twice.`)
    days.add(day)
    for (const [index, cell] of cells.entries()) {
      const currency = currencies?.[index]
      if (cell === '' || cell === 'N/A') continue
      if (!currency) return say(`Line ${line} has more values than the header. Each needs a currency there.`)
      const rateBillionths = billionthsOf(cell)
      if (rateBillionths === null)
        say(`Line ${line}: ${currency.toUpperCase()} has "${excerpt(cell)}", which is not a rate, such as 1.0843.`)
      else rates.push({ base: 'eur', currency, day, source: 'ecb', rateBillionths })
    }
  }
  try {
    await readCsv(client, csv, limits, take)
  } catch (error) {
    if (error instanceof UnreadableCsv) throw invalid([{ field: 'csv', message: error.message }])
    throw error
  }
  if (problems.length === 0 && rates.length === 0)
    say('The file has no rates. It needs a header `Date,USD,…` and a line for each day.')
  if (problems.length > 0) throw invalid(problems)
  return rates
}

/** The currency of each column after the day. A comma at the end makes an empty one. */
function headerOf([first = '', ...names]: string[], line: number, say: (message: string) => void): (string | null)[] {
  if (first.toLowerCase() !== 'date')
    say(`Line ${line}: the header must begin with "Date", not with "${excerpt(first)}".`)
  const seen = new Set<string>()
  return names.map((name) => {
    const code = name.toLowerCase()
    if (code === '') return null
    if (!/^[a-z]{3}$/.test(code)) say(`Line ${line}: "${excerpt(name)}" is not a currency, such as USD.`)
    else if (seen.has(code) || code === 'eur') say(`Line ${line}: ${name} is there twice, or is the euro itself.`)
    seen.add(code)
    return code
  })
}
