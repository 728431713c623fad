import type { Digest } from '../move/digest.ts'

/** Changes with every change of the format that an earlier version cannot read. */
export const formatVersion = 3

/** What a file is: all rows of a program, or those that changed since an earlier file. */
export const fileKinds = { whole: 'tributary program', changes: 'tributary program changes' } as const

/** The moment at which a program was read, by which later changes are found in the same database. */
export type Base = {
  id: string
  /** The server, the database in it, and the part of its log, which changes with a failover or a restore. */
  cluster: string
  database: string
  timeline: string
  /** Transactions from this number on may be missing in the file. */
  since: string
}

export type Header = {
  file: (typeof fileKinds)[keyof typeof fileKinds]
  format: number
  /** The last migration of the database. Files are imported by the version that has the same one. */
  schema: string
  exportedAt: string
  program: { id: string; slug: string; name: string; publishableKeys: string[] }
  /** A known value, encrypted with the key that encrypts the secrets of the file. */
  keyCheck: string
  /** Whether that is a key of the file, instead of the key of the installation. */
  hasOwnKey: boolean
  /** The moment of a file with all rows; in a file with changes, that of the file since which they are. */
  base: Base
  /** In a file with changes of an open program: its own moment, since which later changes are found. */
  next?: Base
  /** The tables in the order of the file, and how many rows of each follow, and how many ranges after them. */
  tables: { name: string; count: number; ranges: number }[]
}

/** Rows of a table between two keys, both included. Keys are the texts of the columns in `place` of the table. */
export type Range = { from: string[]; to: string[] }

/** A line of a file with changes: the keys of the rows of a range that are left of the base's. */
export type KeptRange = Range & { kept: string[][] }

/** The rows of a range when the base was written, and the sum of the transactions that wrote them, in 32 bits each. */
export type Bucket = Range & { digest: Digest; transactions: string }

/** The last line: digests of all rows without columns that differ in a copy, and the SHA-256 of all lines before. */
export type Trailer = {
  end: {
    digests: Record<string, Digest>
    /** In a file since which changes can be found: one with all rows, or with changes of an open program. */
    buckets?: Record<string, Bucket[]>
    /** In a file with changes: the digests of its rows. */
    changed?: Record<string, Digest>
    sha256: string
    /** Made with the key of the installation that wrote the file: see `macOf`. */
    mac?: string
  }
}
