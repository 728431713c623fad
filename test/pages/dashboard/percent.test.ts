import { afterEach, describe, expect, it } from 'vitest'
import { basisPointsOf, percentProblem, percentText } from '../../../src/pages/dashboard/form/percent.ts'
import { setLocale } from '../../../src/pages/parts/locale.ts'

afterEach(() => setLocale(undefined))

describe('a percentage that is typed in the locale of the program', () => {
  it.each([
    ['en-US', '12.5', 1250],
    ['de-DE', '12,5', 1250],
    ['de-DE', '12.5', 1250],
    ['fr-FR', '0,25', 25],
    ['de-DE', '', null],
  ])('%s: %s is %d hundredths of a percent', (locale, typed, basisPoints) => {
    setLocale(locale)
    expect(percentProblem(typed)).toBeUndefined()
    expect(basisPointsOf(typed)).toBe(basisPoints)
    expect(basisPointsOf(percentText(basisPoints))).toBe(basisPoints)
  })

  it.each([
    ['en-US', '12,5 %'],
    ['de-DE', '1.000'],
    ['de-DE', '12,555'],
    ['en-US', 'half'],
  ])('%s: %s is rejected', (locale, typed) => {
    setLocale(locale)
    expect(percentProblem(typed)).toMatch(/\S/)
  })
})
