// A tracked visit: the visit and the referral in one statement, and the counters, in one transaction.
import { createHash } from 'node:crypto'
import { mintId } from './ids.mjs'
import { withTransaction } from './transaction.mjs'

const findProgram = {
  name: 'find-program',
  text: 'select id from programs where publishable_key = $1',
}
const insertVisit = {
  name: 'insert-visit',
  text: `
    with found as materialized (
      select l.id as link_id, a.id as affiliate_id, c.id as campaign_id,
        $5::timestamptz + c.days_before_referrals_expire * interval '24 hours' as expires_at
      from affiliate_links l join affiliates a on a.program_id = l.program_id and a.id = l.affiliate_id
        join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
      where l.program_id = $1 and l.token_key = $2 and a.state = 'active' and l.archived_at is null and c.archived_at is null
    ), visited as (
      insert into visits (program_id, id, link_id, referral_id, visitor_hash, url, referrer, at)
      select $1, $3, link_id, $4, $6, null, null, $5 from found on conflict do nothing returning referral_id
    )
    insert into referrals (program_id, id, affiliate_id, campaign_id, link_id, expires_at, created_at, updated_at)
    select $1, referral_id, affiliate_id, campaign_id, link_id, expires_at, $5, $5 from found, visited
    returning id, affiliate_id, link_id, expires_at`,
}
const countAffiliate = {
  name: 'count-visitor-of-affiliate',
  text: 'update affiliates set visitors = visitors + 1 where program_id = $1 and id = $2',
}
const countLink = {
  name: 'count-visitor-of-link',
  text: 'update affiliate_links set visitors = visitors + 1 where program_id = $1 and id = $2',
}

/** Tributary keeps programs by their publishable key too. @type {Map<string, string>} */
const programs = new Map()

/** @param {import('pg').Pool} pool @param {{ key: string, token: string, visitor: string }} visit */
export async function trackVisit(pool, { key, token, visitor }) {
  const programId = programs.get(key) ?? (await pool.query({ ...findProgram, values: [key] })).rows[0]?.id
  if (!programId) return null
  programs.set(key, programId)
  const hash = createHash('sha256').update(visitor).digest('base64url')
  const now = new Date()
  return withTransaction(pool, async (client) => {
    const values = [programId, token.toLowerCase(), mintId(now), mintId(now), now, hash]
    const { rows } = await client.query({ ...insertVisit, values })
    if (!rows[0]) return null
    await client.query({ ...countAffiliate, values: [programId, rows[0].affiliate_id] })
    await client.query({ ...countLink, values: [programId, rows[0].link_id] })
    return { referral_id: rows[0].id, expires_at: rows[0].expires_at }
  })
}
