import { printSchema } from 'graphql'
import { publicSchema } from './schema.ts'

/** The public schema as schema.graphql holds it: sorted, so that a diff shows what changed. */
export const printPublicSchema = () => `${printSchema(publicSchema)}\n`
