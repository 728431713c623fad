import type { WhyLine } from '../../../texts/en/why.ts'
import type { AnyWhyLine } from '../../../texts/why.ts'
import type { Explanation } from './explain.ts'

/**
 * What an affiliate reads of an explanation: nothing about other rules or about the report, no name of a rule, which
 * can be that of another affiliate, nor of who gave a bonus, and no reason that was written for the program's people.
 */
export const explainedToAffiliate = (explanation: Explanation): Explanation => ({
  ...explanation,
  summary: explanation.summary.flatMap(lineForAffiliate),
  lines: explanation.lines.map((line) => (line.rule ? { ...line, rule: { ...line.rule, name: '' } } : line)),
})

function lineForAffiliate(line: AnyWhyLine): WhyLine[] {
  switch (line.code) {
    case 'dropped':
    case 'ruleMissed':
      return []
    case 'ownReward':
      return [{ ...line, version: null }]
    case 'rule':
      return [{ ...line, rule: null, version: null }]
    case 'tier':
    case 'partNothing':
    case 'partPercent':
    case 'partFixed':
    case 'cap':
    case 'lead':
      return [{ ...line, rule: null }]
    case 'unpaid':
    case 'recalculated':
      return [{ ...line, reason: null }]
    case 'given':
      // The reason of a correction by rules is in English, and names the rule.
      return [{ ...line, giver: null, reason: line.by === 'person' ? line.reason : null }]
    default:
      return [line]
  }
}
