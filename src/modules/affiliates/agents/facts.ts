import { statement } from '../../../database/client/sql.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { SqlDatabase } from '../../../kernel/db.ts'
import { isId } from '../../../kernel/ids.ts'
import { couponKey, isCouponCode } from '../coupons/code.ts'
import { tokenKey } from '../tokens.ts'
import { type AgentClaim, readClaims } from './read-claims.ts'
import { saidBy } from './said.ts'

/** Whom a claim names, by a link, a coupon or an id. */
export type Named = { affiliateId: string; archivedAt: Date | null; expiresAt: Date | null }

const linkOfClaims = statement<unknown>(`
  select token from affiliate_links where program_id = $1::uuid and affiliate_id = $2::uuid and archived_at is null
  order by token_key = any($3::text[]) desc, id limit 1`)

/**
 * The token of the link by which a visit is recorded that an agent brought: the link that it named, else the first of
 * the affiliate. Null if what it said leads to nobody.
 */
export async function findLinkOfAgent({ db, program, now }: ProgramCtx, said: unknown): Promise<string | null> {
  const { claims = [] } = readClaims(saidBy(said), program)
  const named = claims.length > 0 ? await findNamed(db.sql, program.id, claims, now()) : null
  const hasEnded = (at: Date | null) => at !== null && at <= now()
  if (!named || hasEnded(named.archivedAt) || hasEnded(named.expiresAt)) return null
  const keys = claims.flatMap(({ values }) => values.map(tokenKey))
  const [row] = await db.sql.textRows(linkOfClaims, [program.id, named.affiliateId, keys])
  return (row?.[0] as string | undefined) ?? null
}

/** The first value that leads to an active affiliate, else the first that names one. */
const namedByClaims = statement<unknown>(`
  with given as (
    select * from jsonb_to_recordset($2::jsonb)
      as given (number int, link_key text, coupon_key text, affiliate_id uuid, expires_at timestamptz)
  ), named as (
    select g.number, g.expires_at, l.affiliate_id, l.archived_at
    from given g join affiliate_links l on l.program_id = $1::uuid and l.token_key = g.link_key
    union all
    select g.number, g.expires_at, k.affiliate_id, k.archived_at
    from given g join affiliate_coupons k on k.program_id = $1::uuid and k.token_key = g.coupon_key
    union all
    select g.number, g.expires_at, a.id, null
    from given g join affiliates a on a.program_id = $1::uuid and a.id = g.affiliate_id
  )
  select json_build_object('affiliateId', n.affiliate_id, 'archivedAt', n.archived_at, 'expiresAt', n.expires_at)::text
  from named n
    join affiliates a on a.program_id = $1::uuid and a.id = n.affiliate_id
    join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
  order by a.state = 'active' and coalesce(least(n.archived_at, c.archived_at, n.expires_at) > $3::timestamptz, true) desc,
    n.number, n.affiliate_id
  limit 1`)

export async function findNamed(
  sql: Pick<SqlDatabase, 'textRows'>,
  programId: string,
  claims: readonly AgentClaim[],
  occurredAt: Date,
): Promise<Named | null> {
  const given = claims
    .flatMap(({ values, expiresAt }) => values.map((value) => ({ value, expiresAt })))
    .map(({ value, expiresAt }, number) => ({
      number,
      link_key: tokenKey(value),
      coupon_key: isCouponCode(value) ? couponKey(value) : null,
      affiliate_id: isId(value) ? value : null,
      expires_at: expiresAt,
    }))
  const [row] = await sql.textRows(namedByClaims, [programId, JSON.stringify(given), occurredAt.toISOString()])
  if (!row) return null
  const { affiliateId, archivedAt, expiresAt } = JSON.parse(row[0] as string)
  const dateOf = (text: string | null) => (text === null ? null : new Date(text))
  return { affiliateId, archivedAt: dateOf(archivedAt), expiresAt: dateOf(expiresAt) }
}
