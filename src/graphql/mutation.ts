import type { ObjectRef } from '@pothos/core'
import { type GraphQLResolveInfo, getNamedType } from 'graphql'
import { z } from 'zod'
import { withOwnIds } from '../kernel/imported-ids.ts'
import type { Role } from './access.ts'
import { builder, publicOnly, type Types } from './builder.ts'
import type { GraphQLContext } from './context.ts'
import { costing } from './cost.ts'
import { inputOf } from './inputs.ts'
import { capitalized, inWords } from './names.ts'
import { nestedQuery } from './nested-query.ts'

type RawInput<Id extends string> = Record<Id, string> & Record<string, unknown>

type Options<Id extends string> = {
  description: string
  /** The fields that the service parses, in addition to the ids. */
  input?: z.ZodObject
  ids?: Record<Id, string>
  subGraphs?: ('public' | 'rest')[]
  /** Whether affiliate tokens can run it. By default they cannot. */
  forAffiliate?: boolean
  /** The least role of a person who can run it; manager by default. */
  forRole?: PothosSchemaTypes.FieldOptions['forRole']
  /** The cost in addition to its selection; by default 1. */
  cost?: (input: Record<string, unknown>) => number
}

const roles = new Map<string, Role>()

/** The least role of a person who can run the mutation. */
export const roleOfMutation = (name: string): Role => roles.get(name) ?? 'manager'

/** Defines a mutation with one argument, `input`, which the service parses, and a payload type. */
export function mutation<Payload, Id extends string = never>(
  name: string,
  payload: ObjectRef<Types, Payload>,
  options: Options<Id> & {
    resolve: (ctx: GraphQLContext, input: RawInput<Id>, info: GraphQLResolveInfo) => Promise<Payload>
    /** The field of the payload that REST responds with, without the payload around it. */
    resource?: string
  },
): void {
  const {
    description,
    input = z.object({}),
    ids,
    subGraphs = publicOnly,
    forRole,
    forAffiliate,
    cost,
    resource,
    resolve,
  } = options
  if (forRole) roles.set(name, forRole)
  const type = inputOf(`${capitalized(name)}Input`, input, ids)
  const runWith = async (ctx: GraphQLContext, raw: object, info: GraphQLResolveInfo) =>
    resolve(ctx, (await withOwnIds({ db: ctx.db, program: ctx.namedProgram }, raw)) as RawInput<Id>, info)
  builder.mutationField(name, (t) =>
    t.field({
      type: payload,
      // A field that fails is null, so that the response still has what the other fields of the operation have done.
      nullable: true,
      description,
      subGraphs,
      ...(forRole && { forRole }),
      ...(forAffiliate && { forAffiliate: { args: ['input'] } }),
      ...(cost && { complexity: costing((args: { input?: object }) => cost({ ...args.input })) }),
      args: {
        input: t.arg({
          type,
          required: true,
          description: 'The values of the operation. Invalid input is rejected with all of its problems.',
        }),
      },
      extensions: { resource },
      // TypeScript cannot resolve Pothos's return type for a generic payload.
      resolve: (_root, args, ctx, info) => runWith(ctx, args.input, info) as never,
    }),
  )
}

type Resource = { name: string }

/**
 * Defines a mutation whose payload has one field, `resource`, with one or several records: REST's response.
 * @param options `resolve` is given the Prisma query for what the client selects, so that the record is read once
 */
export function resourceMutation<Row extends object, Id extends string = never>(
  name: string,
  resource: string,
  type: Resource | [Resource],
  options: Options<Id> & {
    resolve: (ctx: GraphQLContext, input: RawInput<Id>, query: () => object) => Promise<Row>
  },
): void {
  const rowName = (Array.isArray(type) ? type[0] : type).name
  const meaning = `The ${inWords(resource)} after the operation`
  const payload = builder.objectRef<Record<string, Row>>(`${capitalized(name)}Payload`).implement({
    description: `The result of \`${name}\`.`,
    subGraphs: options.subGraphs ?? publicOnly,
    fields: (t) => ({
      [resource]: t.field({
        type: type as ObjectRef<Types, Row> | [ObjectRef<Types, Row>],
        description: Array.isArray(type) ? `${meaning}, in the order of the input.` : `${meaning}.`,
        // TypeScript cannot resolve Pothos's return type for a generic row.
        resolve: (result) => result[resource] as never,
      }),
    }),
  })
  mutation<Record<string, Row>, Id>(name, payload, {
    ...options,
    resource,
    resolve: async (ctx, input, info) => {
      const path = getNamedType(info.returnType).name === rowName ? [] : [resource]
      return { [resource]: await options.resolve(ctx, input, () => nestedQuery(ctx, info, rowName, path)) }
    },
  })
}
