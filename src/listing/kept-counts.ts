import type { AnalyticsKind, ListedTable } from '../generated/prisma/enums.ts'

/** What all rows of a class have in one column: null, a value, which one, or a time until or after the moment. */
export type CommonValue = 'null' | 'value' | 'until' | 'after' | { value: string }

/** Columns of all rows of a class. Nothing is known of other columns. */
export type RowClass = Record<string, CommonValue>

/** The number of facts of a kind, times a factor: all of them, or those until the moment or after it. */
export type Term = { kind: AnalyticsKind; factor: 1 | -1; part?: 'until' | 'after' }

/** How the numbers of a listing's rows are kept. Each row belongs to exactly one state, and to exactly one class. */
export type CountedListing = {
  /** The table's name in list_counts, which has the number of rows by state. */
  table: ListedTable
  states: Record<string, RowClass>
  /** How the rollups of analytics count the rows, by campaign, affiliate and currency. */
  rollup?: {
    /** The columns of the rows that are dimensions, with their columns in the rollups. */
    dimensions: Record<string, 'campaign_id' | 'affiliate_id' | 'currency'>
    classes: { rows: RowClass; terms: Term[] }[]
  }
}

/** A table whose lists are not filtered by a state. */
export const unfiltered = (table: ListedTable): CountedListing => ({ table, states: { '': {} } })

export const archivable = (table: ListedTable): CountedListing => ({
  table,
  states: { '': { archivedAt: 'null' }, archived: { archivedAt: 'value' } },
})
