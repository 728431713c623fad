import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

/**
 * What migrations call `create extension` for, for every embedded database that is opened: names and e-mails are searched
 * by their trigrams. On a PostgreSQL server the extension comes with the server's own packages.
 */
export const extensions = { pg_trgm }
