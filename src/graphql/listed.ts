import type { Listing } from '../listing/listing.ts'
import type { Rule } from '../listing/rule.ts'
import { toRule, type Where, type WhereScope } from '../listing/where.ts'

type Asked = { where?: Where | null | undefined; includeArchived?: boolean | null | undefined }

/** Whether rows of the listing can be archived. */
export const isArchivable = ({ fields }: Listing): boolean => 'archivedAt' in fields

/** The rule for the rows of a list. Archived rows are left out, unless they are included or `where` has `archivedAt`. */
export function listedRule(listing: Listing, { where, includeArchived }: Asked, scope: WhereScope): Rule {
  const rule = toRule(listing, where, scope)
  if (!isArchivable(listing) || includeArchived || hasArchivedAt(where)) return rule
  return { AND: [{ archivedAt: null }, rule] }
}

/** Whether the conditions have `archivedAt` of the listed rows themselves, at any depth of `and`, `or` and `not`. */
function hasArchivedAt(where: Where | null | undefined): boolean {
  if (!where) return false
  const nested = [where.and, where.or, where.not].flat() as (Where | null | undefined)[]
  return (where.archivedAt ?? null) !== null || nested.some(hasArchivedAt)
}
