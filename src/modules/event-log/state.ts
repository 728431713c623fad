/** The frozen state of an event's subject: rows with the names of their columns. Nulls can be left out. */
export type Row = Readonly<Record<string, unknown>>

export type State = {
  readonly affiliate?: Row
  /** The campaign of the affiliate: whole for an affiliate, else what a summary needs. */
  readonly affiliate_campaign?: Row
  readonly campaign_counts?: Row
  readonly links?: readonly Row[]
  readonly link?: Row | null
  readonly coupon?: Row
  /** Those of an affiliate that are not archived, with `leads`, `conversions` and `imported_id`. */
  readonly coupons?: readonly Row[]
  readonly coupon_leads?: number
  readonly coupon_conversions?: number
  readonly coupon_imported_id?: string
  readonly customer?: Row | null
  readonly visits?: number
  readonly referral?: Row
  readonly sale?: Row
  /** The campaign of the commission, if it is not that of the affiliate. */
  readonly campaign?: Row
  readonly commission?: Row
  readonly commissions?: readonly { readonly commission: Row; readonly campaign: Row }[]
  readonly payout?: Row
  readonly paid_by_id?: string
  readonly api_key?: Row
  readonly unattributed_sale?: Row
  readonly webhook_endpoint?: Row
  readonly proposal?: Row
  readonly statements?: Row
  readonly invoice?: Row
}

export const textOf = (row: Row, column: string): string => row[column] as string
export const textOrNull = (row: Row, column: string): string | null =>
  (row[column] as string | null | undefined) ?? null
export const numberOf = (row: Row, column: string): number => row[column] as number
export const numberOrNull = (row: Row, column: string): number | null =>
  (row[column] as number | null | undefined) ?? null

/** A time in ISO 8601, as the API shows it. */
export const timeOf = (row: Row, column: string): string => new Date(row[column] as string).toISOString()
export const timeOrNull = (row: Row, column: string): string | null =>
  row[column] == null ? null : timeOf(row, column)
export const dateOrNull = (row: Row, column: string): Date | null =>
  row[column] == null ? null : new Date(row[column] as string)

/** The subject of an event as the superset profile of the REST API shows it, in the words of the convention. */
export type Rendered = Record<string, unknown>
