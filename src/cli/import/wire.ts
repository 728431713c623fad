import type { ListedKind } from '../../modules/imports/input.ts'

/** A JSON object as the source sends it. */
export type Wire = Record<string, unknown>

/** A record as the input of `importRecords`. References are ids at the source. */
export type SourceRecord = { externalId: string } & Wire

/** A list of the source's REST API, and how its rows become records. */
export type SourceList = { list: string; kind: ListedKind; read: (wire: Wire) => SourceRecord }
