import { expect, it } from 'vitest'
import { languages } from '../../../src/kernel/languages.ts'
import { de } from '../../../src/pages/portal/texts/de.ts'
import { en, type Texts } from '../../../src/pages/portal/texts/en.ts'
import { es } from '../../../src/pages/portal/texts/es.ts'
import { fr } from '../../../src/pages/portal/texts/fr.ts'
import { ja } from '../../../src/pages/portal/texts/ja.ts'
import { pt } from '../../../src/pages/portal/texts/pt.ts'

const all: Record<(typeof languages)[number], Texts> = { en, de, fr, es, pt, ja }

/** The texts by their names. Arguments are marks that each text has to show. */
function textsOf(value: unknown, name = ''): [name: string, text: string, marks: string[]][] {
  if (typeof value === 'string') return [[name, value, []]]
  if (typeof value !== 'function')
    return Object.entries(value as object).flatMap(([key, one]) => textsOf(one, `${name}.${key}`))
  const marks = ['«1»', '«2»', '«3»'].slice(0, value.length)
  // Counts are formatted as numbers, and chosen by their form.
  const isCount =
    value.length === 1 && String(value(7)) !== String(value('7')) ? false : /\b7\b|7/.test(String(value(7)))
  return isCount
    ? [1, 2, 7].map((n) => [`${name} ${n}`, String(value(n)), [String(n)]])
    : [[name, String(value(...marks)), marks]]
}

it.each(languages)('every text in %s says something, and shows what it is given', (language) => {
  for (const [name, text, marks] of textsOf(all[language])) {
    expect.soft({ name, text: text.trim() }).not.toEqual({ name, text: '' })
    for (const mark of marks) expect.soft({ name, has: text.includes(mark) }).toEqual({ name, has: true })
  }
})

it('counts choose the form of their language', () => {
  expect([en, de, fr, ja].map(({ links }) => links.conversions(1))).toEqual([
    '1 conversion',
    '1 Abschluss',
    '1 conversion',
    '成約1件',
  ])
  expect([en, de, es, pt].map(({ totals }) => totals.commissions(2))).toEqual([
    '2 commissions',
    '2 Provisionen',
    '2 comisiones',
    '2 comissões',
  ])
})
