import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// What people read names nothing of the inside: no columns, no types, no internal names for kinds of software.
/** A commission is cancelled, and what feeds make of events is calculated again. */
const forProgrammers = /['`][^'`\n]*\b([Vv]oid(ed|s)?|[Dd]erived?)\b/
const inner = [
  /wallet[ _-]?[ab]\b/i,
  /\b([Ss]uperset|the convention|the contract)\b/,
  /\brules? (was|were) checked/i,
  /\brows? breaks?\b/i,
  /\bPay (all|with a run)\b/,
  /'[^'\n]*\b[a-z]+_[a-z]+\b[^'\n]*'/,
  forProgrammers,
]
/** Texts for developers, which name a document or a type of software. */
const forDevelopers = ['Only events that meet it are sent', 'wordings: {']

const linesOf = (path: string) =>
  readFileSync(new URL(`../../../src/pages/${path}`, import.meta.url), 'utf8')
    .replace(/\$\{[^}]*\}/g, '')
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

it.each(['portal', 'why', 'why-of-staff', 'reward', 'mails', 'join'])(
  'the texts of affiliates, %s, are for people',
  (name) => {
    expect(linesOf(`../texts/en/${name}.ts`).filter((line) => forProgrammers.test(line))).toEqual([])
  },
)
