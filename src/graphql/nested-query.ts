import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import type { GraphQLContext } from './context.ts'

/** What has to be read of a row further down in the answer, for a field that reads it beforehand. */
export const nestedQuery = (
  context: GraphQLContext,
  info: GraphQLResolveInfo,
  typeName: string,
  path: string[],
): object => queryFromInfo({ context, info, typeName, path } as never)
