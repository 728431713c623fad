import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

/**
 * The extensions that migrations create, for the embedded database. Trigrams are used to search names and e-mails. A
 * PostgreSQL server provides the extension with its own packages.
 */
export const extensions = { pg_trgm }
