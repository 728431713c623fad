import type { ASTVisitor, ValidationContext } from 'graphql'
import { limits } from '../../graphql/cost.ts'
import { tooComplex } from './query-errors.ts'

/** Introspection has no cost. Without aliases its size is bounded; GraphQL's own rules bound its recursion. */
export function limitIntrospection(context: ValidationContext): ASTVisitor {
  let schemas = 0
  let types = 0
  return {
    Field({ name, alias }) {
      if (name.value === '__schema') schemas += 1
      if (name.value === '__type') types += 1
      const isAliased = alias !== undefined && context.getParentType()?.name.startsWith('__')
      if (isAliased || schemas > 1 || types > limits.typesByName) {
        const message = `A query may contain __schema once and __type ${limits.typesByName} times, without aliases inside them.`
        throw tooComplex('introspection', message)
      }
    },
  }
}
