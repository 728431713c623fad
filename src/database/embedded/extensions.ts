import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

/** The extensions of migrations, for the embedded database. Trigrams are for the search of names and e-mails. */
export const extensions = { pg_trgm }
