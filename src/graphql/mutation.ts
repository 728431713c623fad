import type { ObjectRef } from '@pothos/core'
import { type GraphQLResolveInfo, getNamedType } from 'graphql'
import { z } from 'zod'
import { builder, publicOnly } from './builder.ts'
import { type GraphQLContext, namedHere } from './context.ts'
import { inputOf } from './inputs.ts'
import { nestedQuery } from './nested-query.ts'

type Given<Id extends string> = Record<Id, string> & Record<string, unknown>

type Options<Id extends string> = {
  description: string
  /** What the verb reads, beside the ids. */
  input?: z.ZodObject
  /** The ids that the input names beside that, and what each is of. */
  ids?: Record<Id, string>
  subGraphs?: ('public' | 'rest')[]
}

const typeName = (mutationName: string, end: string) =>
  `${mutationName.charAt(0).toUpperCase()}${mutationName.slice(1)}${end}`

/**
 * A mutation, as all are: one argument `input`, and a payload type that can grow. What the input says is handed to
 * `resolve` as it is; the verb reads it.
 */
export function mutation<Answer, Id extends string = never>(
  name: string,
  payload: ObjectRef<typeof builder.$inferSchemaTypes, Answer>,
  options: Options<Id> & {
    resolve: (ctx: GraphQLContext, input: Given<Id>, info: GraphQLResolveInfo) => Promise<Answer>
    /** The field of the payload that REST answers with, without the payload around it. */
    resource?: string
  },
): void {
  const { description, input = z.object({}), ids, subGraphs = publicOnly, resource, resolve } = options
  const type = inputOf(typeName(name, 'Input'), input, ids)
  builder.mutationField(name, (t) =>
    t.field({
      type: payload,
      description,
      subGraphs: subGraphs as never,
      args: { input: t.arg({ type, required: true }) },
      extensions: { resource },
      resolve: (_root, args, ctx, info) =>
        namedHere(ctx, args.input as unknown as Given<Id>).then((input) => resolve(ctx, input, info)) as never,
    }),
  )
}

type Resource = { name: string }

/**
 * A mutation that answers one resource, or several of a kind, in the field of the payload that is called `resource`.
 * REST answers with the resource itself.
 *
 * @param resolve is given what to read of the resource, to be asked for where it is read: so it is read once
 */
export function resourceMutation<Row extends object, Id extends string = never>(
  name: string,
  resource: string,
  type: Resource | [Resource],
  options: Options<Id> & {
    resolve: (ctx: GraphQLContext, input: Given<Id>, query: () => object) => Promise<Row>
  },
): void {
  const rowName = (Array.isArray(type) ? type[0] : type).name
  const payload = builder.objectRef<Record<string, Row>>(typeName(name, 'Payload')).implement({
    description: `The answer to \`${name}\`.`,
    subGraphs: (options.subGraphs ?? publicOnly) as never,
    fields: (t) => ({ [resource]: t.field({ type: type as never, resolve: (answer) => answer[resource] as never }) }),
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
