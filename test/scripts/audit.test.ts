import { expect, it } from 'vitest'
import { findSevere } from '../../scripts/audit.ts'

const reportOf = (...severities: string[]) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(
      severities.map((severity) => [severity, { name: severity, severity, range: '<2' }]),
    ),
  })

it('names the packages with high and critical vulnerabilities', () => {
  expect(findSevere(reportOf('low', 'moderate', 'high', 'critical'))).toEqual([
    'high <2: high',
    'critical <2: critical',
  ])
})

it('finds nothing where the others are lower', () => {
  expect(findSevere(reportOf('info', 'low', 'moderate'))).toEqual([])
  expect(findSevere(reportOf())).toEqual([])
})

it('distinguishes a registry without an audit endpoint from one that found nothing', () => {
  expect(findSevere('{"message":"405 Method Not Allowed","statusCode":405,"error":{"summary":""}}')).toBeNull()
  expect(findSevere('')).toBeNull()
})
