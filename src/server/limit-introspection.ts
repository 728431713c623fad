import type { ASTVisitor, ValidationContext } from 'graphql'
import { limits } from '../graphql/cost.ts'
import { tooComplex } from './refused-query.ts'

/**
 * What a schema says of itself has no cost, as every tool asks for all of it. Its size is bounded as long as nothing is
 * asked for under several names; GraphQL's own rules bound how far it goes in circles.
 */
export function limitIntrospection(context: ValidationContext): ASTVisitor {
  let schemas = 0
  let types = 0
  return {
    Field({ name, alias }) {
      if (name.value === '__schema') schemas += 1
      if (name.value === '__type') types += 1
      const isAliased = alias !== undefined && context.getParentType()?.name.startsWith('__')
      if (isAliased || schemas > 1 || types > limits.typesByName) {
        const message = `A query may ask for __schema once and for __type ${limits.typesByName} times, and for nothing in them by an alias.`
        throw tooComplex('introspection', message)
      }
    },
  }
}
