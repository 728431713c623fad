import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// What people read names nothing of the inside: no columns, no types, no internal names for kinds of software.
const inner = [
  /wallet[ _-]?[ab]\b/i,
  /\b([Ss]uperset|the convention|the contract)\b/,
  /\brules? (was|were) checked/i,
  /\brows? breaks?\b/i,
  /\bPay (all|with a run)\b/,
  /'[^'\n]*\b[a-z]+_[a-z]+\b[^'\n]*'/,
]
/** Texts for developers, which name a document or a type of software. */
const forDevelopers = ['OpenAPI document, superset', 'Only events that meet it are sent']

const linesOf = (path: string) =>
  readFileSync(new URL(`../../../src/pages/${path}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !forDevelopers.some((text) => line.includes(text)))

const ofViews = readdirSync(new URL('../../../src/pages/dashboard/texts', import.meta.url)).map(
  (file) => `dashboard/texts/${file}`,
)

it.each(['dashboard/texts.ts', ...ofViews, 'portal/signed-out.tsx', 'portal/failure-notice.tsx', 'portal/terms.ts'])(
  'the texts of %s are for people',
  (path) => {
    expect(linesOf(path).filter((line) => inner.some((pattern) => pattern.test(line)))).toEqual([])
  },
)
