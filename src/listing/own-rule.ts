import { Prisma } from '../generated/prisma/client.ts'
import { literal, noRow, type Rule } from './rule.ts'

/** The value of a GraphQL `OwnFieldFilter`. */
type OwnFilter = { name?: string } & Record<string, unknown>

const isNumber = (text: string) => /^-?\d{1,15}(\.\d{1,15})?$/.test(text)

/** The value as it can be stored: a text, and a number if it looks like one. A field has values of one type. */
const stored = (text: string): (string | number)[] => (isNumber(text) ? [text, Number(text)] : [text])

/** Conditions on a value in a column of JSON. All of them must hold. */
export function ownRule(column: string, { name = '', ...filters }: OwnFilter): Rule {
  const has = (comparison: Rule): Rule => ({ [column]: { path: [name], ...comparison } })
  const any = (texts: string[]): Rule => {
    const rules = texts.flatMap(stored).map((equals) => has({ equals }))
    return rules.length === 1 ? (rules[0] as Rule) : { OR: rules }
  }
  const missing = has({ equals: Prisma.DbNull })
  const compared = Object.entries(filters).flatMap(([operator, operand]): Rule[] => {
    if (operand === undefined) return []
    if (operator === 'equals') return [operand === null ? missing : any([operand as string])]
    if (operator === 'not')
      return [operand === null ? { NOT: missing } : { OR: [missing, { NOT: any([operand as string]) }] }]
    if (operand === null) return []
    if (operator === 'in') return [(operand as string[]).length === 0 ? noRow : any(operand as string[])]
    if (operator === 'contains') return [has({ string_contains: literal(operand as string), mode: 'insensitive' })]
    return [has({ [operator]: isNumber(operand as string) ? Number(operand) : operand })]
  })
  return { AND: compared }
}
