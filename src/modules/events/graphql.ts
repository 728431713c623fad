import { GraphQLString } from 'graphql'
import { builder } from '../../graphql/builder.ts'
import { type EventType, eventMeanings } from './types.ts'

declare global {
  namespace PothosSchemaTypes {
    interface ModuleScalars {
      EventType: { Input: string; Output: string }
    }
  }
}

const meanings = Object.entries(eventMeanings).map(([type, meaning]) => `- \`${type}\`: ${meaning}`)

/** What TypeScript has of it: a union of the words. */
const codegenScalarType = (Object.keys(eventMeanings) as EventType[]).map((type) => `'${type}'`).join(' | ')

builder.scalarType('EventType', {
  description: `A type of event, in the word that webhooks send. It is no enum, because names in GraphQL have no dots. An unknown one is reported as a problem of the input field.\n\n${meanings.join('\n')}`,
  extensions: { codegenScalarType },
  serialize: (value) => GraphQLString.serialize(value),
  parseValue: (value) => GraphQLString.parseValue(value),
  parseLiteral: (node) => GraphQLString.parseLiteral(node, {}),
})
