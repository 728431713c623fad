import { isCollection, isPair, isScalar, LineCounter, parseDocument, stringify } from 'yaml'
import { OperatorError } from '../../database/operator-error.ts'
import { rulesSchema } from '../../modules/rule-plans/file-schema.ts'

type Path = readonly (string | number)[]
type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema; required?: string[] }

/** A campaign as the server has it, with its rules in the form of a file. */
export type CampaignRules = { id: string; name: string; rules: object[] }

export type RulesFile = {
  /** The slug or the id of the program, if the file names it. */
  program: string | undefined
  /** Finds the campaigns of the file. @throws OperatorError with the line of every campaign that is not among them */
  of(campaigns: readonly CampaignRules[]): RulesOfFile
}

export type RulesOfFile = {
  /** The rules, in the form of the input of `planRules`. */
  rules: object[]
  /** The error that names the lines of these problems of the input of `planRules`. */
  errorOf(problems: readonly { message: string; path?: Path }[]): OperatorError
}

/** The text of a file of all campaigns that have rules. @param schema the address of the JSON Schema */
export function writeRules(program: string, campaigns: readonly CampaignRules[], schema: string): string {
  const listed = campaigns.filter(({ rules }) => rules.length > 0)
  const text = stringify({ program, campaigns: listed.map(({ id, rules }) => ({ campaign: id, rules })) })
  const named = listed.reduce(
    (all, { id, name }) => all.replace(`campaign: ${id}\n`, `campaign: ${id} # ${name}\n`),
    text,
  )
  return `# yaml-language-server: $schema=${schema}\n${named}`
}

/** Reads a file of rules. @throws OperatorError with the line of every problem */
export function readRulesFile(file: string, text: string): RulesFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const failure = (problems: readonly string[]) => new OperatorError(problems.join('\n'))
  if (document.errors.length > 0)
    throw failure(
      document.errors.map(({ pos, message }) => `${file}:${lines.linePos(pos[0]).line}: ${message.split('\n')[0]}`),
    )
  /** The place of a value. A value that is missing has that of the object around it. */
  const placeOf = (path: Path): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const parent = document.getIn(path.slice(0, length - 1), true)
      const key = path[length - 1]
      const pair =
        isCollection(parent) && parent.items.find((one) => isPair(one) && isScalar(one.key) && one.key.value === key)
      const node = pair && isPair(pair) ? pair.key : document.getIn(path.slice(0, length), true)
      const range = (node as { range?: [number, number, number] } | null)?.range
      if (range) return `${file}:${lines.linePos(range[0]).line}`
    }
    return `${file}:1`
  }
  const value = document.toJS() as unknown
  const problems = problemsOf(rulesSchema() as Schema, value, [])
  if (problems.length > 0) throw failure(problems.map(({ path, message }) => `${placeOf(path)}: ${message}`))

  const { program, campaigns: given } = value as {
    program?: string
    campaigns: { campaign: string; rules: object[] }[]
  }
  const of: RulesFile['of'] = (campaigns) => {
    const rules: object[] = []
    const places: Path[] = []
    const unknown: string[] = []
    for (const [at, { campaign, rules: own }] of given.entries()) {
      const found = campaigns.filter(({ id, name }) => id === campaign || name === campaign)
      const [one, another] = found
      if (!one || another) {
        const reason = one ? 'Several campaigns have this name: give the id' : 'The program has no such campaign'
        unknown.push(`${placeOf(['campaigns', at, 'campaign'])}: ${reason}: ${campaign}`)
        continue
      }
      for (const [n, rule] of own.entries()) {
        rules.push({ campaignId: one.id, ...rule })
        places.push(['campaigns', at, 'rules', n])
      }
    }
    if (unknown.length > 0) throw failure(unknown)
    return {
      rules,
      errorOf: (found) =>
        failure(
          found.map(({ message, path = [] }) => {
            const [, , index, ...rest] = path
            const place = typeof index === 'number' ? places[index] : undefined
            return place ? `${placeOf([...place, ...rest])}: ${message}` : message
          }),
        ),
    }
  }
  return { program, of }
}

/** Finds unknown and missing fields, and values of another type. The server checks the rest. */
function problemsOf(schema: Schema, value: unknown, path: Path): { path: Path; message: string }[] {
  const { type, properties = {}, items, required = [] } = schema
  if (type === 'array' && items) {
    if (!Array.isArray(value)) return [{ path, message: `"${path.at(-1)}" must be a list.` }]
    return value.flatMap((one, index) => problemsOf(items, one, [...path, index]))
  }
  if (type === 'string' && typeof value !== 'string')
    return [{ path, message: `"${path.at(-1)}" must be text: put it in quotes.` }]
  if (type !== 'object') return []
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return [{ path, message: path.length === 0 ? 'The file must begin with "campaigns:".' : 'This must have fields.' }]
  const names = Object.keys(value)
  return [
    ...required
      .filter((name) => !names.includes(name))
      .map((name) => ({ path, message: `The field "${name}" is missing.` })),
    ...Object.entries(value).flatMap(([name, own]) => {
      const field = properties[name]
      if (field) return own === null ? [] : problemsOf(field, own, [...path, name])
      return [
        {
          path: [...path, name],
          message: `There is no field "${name}". There are: ${Object.keys(properties).join(', ')}.`,
        },
      ]
    }),
  ]
}
