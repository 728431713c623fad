import { setTimeout as pause } from 'node:timers/promises'
import { isForeignKeyViolation, isProgramClosed, isTransient, isUnavailable } from '../../database/client/errors.ts'
import { statement } from '../../database/client/sql.ts'
import type { AppDb } from '../../kernel/db.ts'
import { unavailable } from '../../kernel/errors.ts'

/** A click to record. All clicks of one visitor on one link within one hour have the same `visitId`. */
export type Click = {
  programId: string
  tokenKey: string
  visitId: string
  /** The `visitId` that the click would have had one hour earlier. */
  earlierVisitId: string
  referralId: string
  visitorHash: string
  sub: string | null
  /** Who issued what an agent said, if that named the link. */
  agentProvider: string | null
  url: string | null
  referrer: string | null
  requestId: string
  at: Date
}

/** The result of a click: `link` null for an unknown token, `referral` null if it leads to nothing active. */
export type RecordedClick = {
  link: { token: string; url: string } | null
  referral: { id: string; expiresAt: Date; isNew: boolean } | null
}

export type ClickRecorder = (click: Click) => Promise<RecordedClick>

const batchSize = 500
/** The queue only gets this long if the database is far too slow for the load. A longer queue would not help. */
const maximumQueueLength = 5_000
const maximumAttempts = 3

type QueuedClick = { click: Click; resolve: (recorded: RecordedClick) => void; reject: (error: unknown) => void }

/** Records clicks before they are responded to. Clicks that arrive while a statement runs share the next statement. */
export function createClickRecorder(db: AppDb): ClickRecorder {
  const queue: QueuedClick[] = []
  let isWriting = false
  const write = async () => {
    isWriting = true
    while (queue.length > 0) await recordBatch(db, queue.splice(0, batchSize))
    isWriting = false
  }
  return (click) =>
    new Promise((resolve, reject) => {
      if (queue.length >= maximumQueueLength) return reject(unavailable())
      queue.push({ click, resolve, reject })
      if (!isWriting) void write()
    })
}

async function recordBatch(db: AppDb, batch: QueuedClick[]): Promise<void> {
  try {
    const recorded = await recordClicks(
      db,
      batch.map(({ click }) => click),
    )
    batch.forEach(({ resolve }, n) => {
      resolve(recorded[n] as RecordedClick)
    })
  } catch (error) {
    // Retry one by one, so that a click that the database rejects does not fail the others.
    const isOfOne = isProgramClosed(error) || !isUnavailable(error)
    if (batch.length > 1 && isOfOne) for (const one of batch) await recordBatch(db, [one])
    else for (const { reject } of batch) reject(error)
  }
}

type Row = {
  n: number
  token: string
  target: string
  is_active: boolean
  referral_id: string | null
  expires_at: Date
  is_new: boolean
}

async function recordClicks(db: AppDb, clicks: readonly Click[]): Promise<RecordedClick[]> {
  const rows = new Map((await insertWithRetries(db, clicks)).map((row) => [row.n, row]))
  // Another instance, or another click of this batch, inserted the same visit concurrently. Now it can be read.
  const missing = [...rows.values()].filter((row) => row.is_active && row.referral_id === null).map(({ n }) => n)
  if (missing.length > 0) {
    const retried = await insertWithRetries(
      db,
      missing.map((n) => clicks[n] as Click),
    )
    for (const row of retried) rows.set(missing[row.n] as number, row)
  }
  return clicks.map((_, n) => recordedOf(rows.get(n)))
}

function recordedOf(row: Row | undefined): RecordedClick {
  if (!row) return { link: null, referral: null }
  return {
    link: { token: row.token, url: row.target },
    // Earlier referrals of a disabled affiliate are not returned either.
    referral:
      row.is_active && row.referral_id ? { id: row.referral_id, expiresAt: row.expires_at, isNew: row.is_new } : null,
  }
}

/** Retries deadlocks and the like. A deleted link violates a foreign key, and is not found next time. */
async function insertWithRetries(db: AppDb, clicks: readonly Click[]): Promise<Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertClicks(db, clicks)
    } catch (error) {
      if (attempt === maximumAttempts || !(isTransient(error) || isForeignKeyViolation(error))) throw error
      await pause(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/**
 * Finds the links and the visits of the last hour, and inserts the missing visits and referrals with their events. The
 * primary key lets only one of several concurrent clicks insert the visit. visitor-counter.ts counts referrals later.
 * Rows are inserted in one order, to avoid deadlocks.
 */
const clickStatement = statement<Row>(`
    with clicked as (
      select * from jsonb_to_recordset($1::jsonb) as clicked(
        n int, "programId" uuid, "tokenKey" text, "visitId" uuid, "earlierVisitId" uuid, "referralId" uuid,
        "visitorHash" text, sub text, "agentProvider" text, url text, referrer text, "requestId" text, at timestamptz)
    ), found as materialized (
      select clicked.*, l.id as link_id, l.token, a.id as affiliate_id, 
        a.state = 'active' and l.archived_at is null and c.archived_at is null as is_active,
        c.id as campaign_id, c.url as target, known.referral_id as known_id, known.expires_at as known_expires_at,
        clicked.at + c.days_before_referrals_expire * interval '24 hours' as expires_at
      from clicked
        join affiliate_links l on l.program_id = clicked."programId" and l.token_key = clicked."tokenKey"
        join affiliates a on a.program_id = l.program_id and a.id = l.affiliate_id
        join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
        left join lateral (
          select v.referral_id, r.expires_at
          from visits v join referrals r on r.program_id = v.program_id and r.id = v.referral_id
          where v.program_id = clicked."programId" and v.id in (clicked."visitId", clicked."earlierVisitId")
            and v.at > clicked.at - interval '1 hour'
          order by v.at desc limit 1
        ) known on true
    ), visited as (
      insert into visits (program_id, id, link_id, referral_id, visitor_hash, url, referrer, at)
      select "programId", "visitId", link_id, "referralId", "visitorHash", url, referrer, at
      from found where is_active and known_id is null order by "programId", "visitId"
      on conflict do nothing
      returning referral_id
    ), referred as (
      insert into referrals
        (program_id, id, affiliate_id, campaign_id, link_id, sub, agent_provider, expires_at, is_counted, created_at, updated_at)
      select "programId", "referralId", affiliate_id, campaign_id, link_id, sub, "agentProvider", expires_at, false, at, at
      from found where "referralId" in (select referral_id from visited) order by "programId", affiliate_id
      returning id
    ), recorded as (
      select record_events(jsonb_build_object('program_id', "programId", 'actor_kind', 'system', 'request_id', "requestId",
        'created_at', at, 'only_new', true, 'states', jsonb_build_array(jsonb_build_object('subject', 'referral', 'subject_id', "referralId")),
        'events', jsonb_build_array(jsonb_build_object('type', 'referral.created', 'subject', 'referral',
          'subject_id', "referralId", 'place', 0, 'state', 0)))) as events
      from (
        select * from found where "referralId" in (select id from referred) order by "programId", "referralId"
      ) new_referrals
    )
    select n, (select sum(events) from recorded)::int as events, token, target, is_active, referred.id is not null as is_new,
      coalesce(referred.id, known_id)::text as referral_id, coalesce(known_expires_at, expires_at) as expires_at
    from found left join referred on referred.id = found."referralId"`)

const insertClicks = (db: AppDb, clicks: readonly Click[]): Promise<Row[]> =>
  db.sql.query(clickStatement, [JSON.stringify(clicks.map((click, n) => ({ n, ...click })))])
