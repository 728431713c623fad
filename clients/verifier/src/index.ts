export type { CheckedLine, CheckedStatement, Finding, Report } from './report.ts'
export type { Jwk, Jwks } from './seal.ts'
export { type Given, statementsIn, verifyStatements } from './verify.ts'
