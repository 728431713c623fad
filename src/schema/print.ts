import { printSchema } from 'graphql'
import { affiliateSchema } from './affiliate.ts'
import { publicSchema } from './schema.ts'

/** The public schema as schema.graphql holds it: sorted, so that a diff shows what changed. */
export const printPublicSchema = () => `${printSchema(publicSchema)}\n`

/** What affiliate tokens can read, as schema.affiliate.graphql holds it. */
export const printAffiliateSchema = () => `${printSchema(affiliateSchema())}\n`
