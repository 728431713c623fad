import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeDemoProgram } from '../../src/modules/demo/service.ts'
import { createTestApp } from '../support/app.ts'
import { connect, revisions } from '../support/assistants.ts'

const test = await createTestApp({ startsAt: '2026-03-10T12:00:00.000Z' })
const demo = await makeDemoProgram(test.database.db, { now: test.clock.now, months: 6 })
const secret = demo?.secret ?? ''

type Question = { question: string; tool: string; args: string; answer: string }

/** Each question of docs/assistants.md: what is called, and what the page says that the answer has. */
const questions: Question[] = readFileSync('docs/assistants.md', 'utf8')
  .split(/^\*\*\d+\. /m)
  .slice(1)
  .map((part) => {
    const [question = '', call = '', answer = ''] = part.split('\n')
    const [, tool = '', args = ''] = /^`(\w+) (.*)`$/.exec(call) ?? []
    return { question: question.replace(/\*\*$/, ''), tool, args, answer }
  })

/** Every amount in an answer, as the page writes it. */
function amountsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  const { amountCents, currency } = value as { amountCents?: number; currency?: string }
  const own =
    typeof amountCents === 'number' && currency ? [`${(amountCents / 100).toFixed(2)} ${currency.toUpperCase()}`] : []
  return [...own, ...Object.values(value).flatMap(amountsIn)]
}

describe('docs/assistants.md', () => {
  it('has twelve questions', () => expect(questions).toHaveLength(12))

  it.each(questions)('answers: $question', async ({ tool, args, answer }) => {
    for (const revision of revisions) {
      const { call } = await connect({ test, secret, revision })
      const found = await call(tool, JSON.parse(args))
      const text = JSON.stringify(found).toLowerCase()
      const amounts = amountsIn(found)
      const said = answer.replace(/`[^`]*`/g, '')
      for (const [, amount] of said.matchAll(/\*\*(\d[\d.]* [A-Z]{3})\*\*/g)) expect(amounts).toContain(amount)
      for (const [, quoted = ''] of answer.matchAll(/`([^`]+)`/g))
        if (quoted !== 'explain') expect(text).toContain(quoted.toLowerCase())
    }
  })
})
