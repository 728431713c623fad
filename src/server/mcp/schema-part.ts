import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  printType,
} from 'graphql'
import type { GraphQLContext } from '../../graphql/context.ts'
import { affiliateSchema } from '../../schema/affiliate.ts'
import { publicSchema } from '../../schema/schema.ts'

const mostBytes = 16_000

const wordsOf = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

/** How well a name and its description fit words. The name counts more. */
const fitOf = (words: readonly string[], name: string, description: string | null | undefined) => {
  const [own, more] = [wordsOf(name).join(' '), (description ?? '').toLowerCase()]
  return words.reduce((sum, word) => sum + (own.includes(word) ? 3 : more.includes(word) ? 1 : 0), 0)
}

/** The fields of `Query` that fit words, with their types and inputs, in GraphQL's language. */
export function schemaAbout({ actor }: GraphQLContext, text: string): string {
  const schema = actor.kind === 'affiliate' ? affiliateSchema() : publicSchema
  const words = wordsOf(text)
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {})
    .map((field) => ({ field, score: fitOf(words, field.name, field.description) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 6)
  const parts = ['type Query {', ...fields.map(({ field }) => `  ${signatureOf(field)}`), '}']
  const seen = new Set<string>()
  const queue: GraphQLNamedType[] = fields.flatMap(({ field }): GraphQLNamedType[] => [
    getNamedType(field.type),
    ...field.args.map(({ type }) => getNamedType(type)),
  ])
  for (let size = parts.join('\n').length; queue.length > 0; ) {
    const type = queue.shift()
    if (!type || seen.has(type.name) || !(isObjectType(type) || isInputObjectType(type) || isEnumType(type))) continue
    seen.add(type.name)
    const printed = printType(type)
    size += printed.length
    if (size > mostBytes) break
    parts.push(printed)
    if (isObjectType(type) || isInputObjectType(type))
      queue.push(...Object.values(type.getFields()).map((field) => getNamedType(field.type as GraphQLOutputType)))
  }
  return parts.join('\n')
}

const signatureOf = ({ name, args, type, description }: GraphQLField<unknown, unknown>) => {
  const given = args.map((arg) => `${arg.name}: ${arg.type}`).join(', ')
  return `${name}${given && `(${given})`}: ${type} # ${description ?? ''}`
}
