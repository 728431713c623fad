import { expect, it } from 'vitest'
import { describeAudit, findSevere, readAudit } from '../../scripts/audit.ts'

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

it('says NOT AUDITED only if the registry has no audit endpoint; every other answer fails', () => {
  const answer = (statusCode?: number) => readAudit(JSON.stringify({ message: 'no', statusCode, error: {} }))
  for (const status of [404, 405, 501]) expect(describeAudit(answer(status))).toMatch(/^NOT AUDITED: /)
  for (const status of [400, 401, 403, 429, 500, 503, undefined]) expect(answer(status)).toEqual({ failure: 'no' })
  for (const printed of ['', 'null', '[]', '{}', '<html>']) expect(readAudit(printed)).toHaveProperty('failure')
})
