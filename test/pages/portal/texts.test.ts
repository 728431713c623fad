import { expect, it } from 'vitest'
import { languages } from '../../../src/kernel/languages.ts'
import type { PortalTexts } from '../../../src/texts/en/portal.ts'

const portalIn = async (language: string): Promise<PortalTexts> =>
  (await import(`../../../src/texts/${language}/portal.ts`)).portal

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

it.each(languages)('every text in %s says something, and shows what it is given', async (language) => {
  for (const [name, text, marks] of textsOf(await portalIn(language))) {
    expect.soft({ name, text: text.trim() }).not.toEqual({ name, text: '' })
    for (const mark of marks) expect.soft({ name, has: text.includes(mark) }).toEqual({ name, has: true })
  }
})

it('counts choose the form of their language', async () => {
  const [en, de, fr, ja, es, pt] = await Promise.all(['en', 'de', 'fr', 'ja', 'es', 'pt'].map(portalIn))
  expect([en, de, fr, ja].map((texts) => texts?.links.conversions(1))).toEqual([
    '1 conversion',
    '1 Abschluss',
    '1 conversion',
    '成約1件',
  ])
  expect([en, de, es, pt].map((texts) => texts?.totals.commissions(2))).toEqual([
    '2 commissions',
    '2 Provisionen',
    '2 comisiones',
    '2 comissões',
  ])
})
