import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import { TributaryError } from '../kernel/errors.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      lookUp: LookUpPlugin<Types>
    }
    interface FieldOptions {
      isLookUp?: boolean
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

/** Look-ups of an unknown id throw NOT_FOUND. REST responds with 404; in the public schema the field is null. */
class LookUpPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (!this.isPublicLookUp(field)) return field
    const description = `${field.description} Null if the id is unknown.`
    const extensions = { ...field.extensions, isPureRead: true }
    return { ...field, description, extensions, type: { ...field.type, nullable: true } as typeof field.type }
  }

  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    if (!this.isPublicLookUp(field)) return resolve
    return async (...args) => {
      try {
        return await resolve(...args)
      } catch (error) {
        if (error instanceof TributaryError && error.code === 'NOT_FOUND') return null
        throw error
      }
    }
  }

  private isPublicLookUp({ pothosOptions }: PothosOutputFieldConfig<Types>): boolean {
    const { isLookUp } = pothosOptions as PothosSchemaTypes.FieldOptions
    return Boolean(isLookUp) && (this.options as { subGraph?: unknown }).subGraph === 'public'
  }
}

const pluginName = 'lookUp' as const
SchemaBuilder.registerPlugin(pluginName, LookUpPlugin)
export default pluginName
