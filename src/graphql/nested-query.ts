import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import type { GraphQLContext } from './context.ts'

/** The Prisma query for a row at `path` below a field, for a field that reads the row itself. */
export const nestedQuery = (
  context: GraphQLContext,
  info: GraphQLResolveInfo,
  typeName: string,
  path: string[],
): object => queryFromInfo({ context, info, typeName, path })
