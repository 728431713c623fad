import type { Digest } from '../move/digest.ts'

/** Changes with every change of the format that an earlier version cannot read. */
export const formatVersion = 1

/** The first line of a program's file. */
export type Header = {
  file: 'tributary program'
  format: number
  /** The last migration of the database. Files are imported by the version that has the same one. */
  schema: string
  exportedAt: string
  program: { id: string; slug: string; name: string; publishableKeys: string[] }
  /** A known value, encrypted with the key that encrypts the secrets of the file. */
  keyCheck: string
  /** Whether that is a key of the file, instead of the key of the installation. */
  hasOwnKey: boolean
  /** The tables in the order of the file, and how many rows of each follow. */
  tables: { name: string; count: number }[]
}

/**
 * The last line. Digests do not count columns that differ in a copy; tables with rows of people have only a count.
 * The checksum is the SHA-256 of all lines before it, in hex.
 */
export type Trailer = { end: { digests: Record<string, Digest>; sha256: string } }
