import { setTimeout as pause } from 'node:timers/promises'
import { isTransient, isUnavailable } from '../../database/errors.ts'
import type { Db } from '../../kernel/context.ts'
import { unavailable } from '../../kernel/errors.ts'

/** A click as it is written down. Its `visitId` is the same for every click of one visitor on one link in one hour. */
export type Click = {
  programId: string
  tokenKey: string
  visitId: string
  /** The id that the visit would have had if it had come in the hour before. */
  earlierVisitId: string
  referralId: string
  visitorHash: string
  url: string | null
  referrer: string | null
  at: Date
}

/** What the click came to. Without a link nobody has the token; without a referral its affiliate is not active. */
export type Recorded = {
  link: { token: string; url: string } | null
  referral: { id: string; expiresAt: Date; isNew: boolean } | null
}

export type Recorder = (click: Click) => Promise<Recorded>

const mostAtOnce = 500
/** More than this waits only where the database is far too slow for what comes in: more memory would not help it. */
const mostWaiting = 5_000
const attempts = 3

type Waiting = { click: Click; resolve: (recorded: Recorded) => void; reject: (error: unknown) => void }

/**
 * Writes clicks down before they are answered. Those that come while others are written wait for the next statement and
 * share it: alone, a click costs one statement, and in a rush hundreds cost one and are forced to disk together.
 */
export function createRecorder(db: Db): Recorder {
  const waiting: Waiting[] = []
  let isWriting = false
  const write = async () => {
    isWriting = true
    while (waiting.length > 0) await recordTogether(db, waiting.splice(0, mostAtOnce))
    isWriting = false
  }
  return (click) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= mostWaiting) return reject(unavailable())
      waiting.push({ click, resolve, reject })
      if (!isWriting) void write()
    })
}

async function recordTogether(db: Db, batch: Waiting[]): Promise<void> {
  try {
    const recorded = await recordClicks(
      db,
      batch.map(({ click }) => click),
    )
    batch.forEach(({ resolve }, n) => {
      resolve(recorded[n] as Recorded)
    })
  } catch (error) {
    // Nobody else's click fails because of one that the database does not take.
    if (batch.length > 1 && !isUnavailable(error)) for (const one of batch) await recordTogether(db, [one])
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

async function recordClicks(db: Db, clicks: readonly Click[]): Promise<Recorded[]> {
  const rows = new Map((await insertOnce(db, clicks)).map((row) => [row.n, row]))
  // Another instance, or another click of this batch, wrote the same visit at the same moment: now it can be read.
  const missing = [...rows.values()].filter((row) => row.is_active && row.referral_id === null).map(({ n }) => n)
  if (missing.length > 0) {
    const again = await insertOnce(
      db,
      missing.map((n) => clicks[n] as Click),
    )
    for (const row of again) rows.set(missing[row.n] as number, row)
  }
  return clicks.map((_, n) => recordedOf(rows.get(n)))
}

function recordedOf(row: Row | undefined): Recorded {
  if (!row) return { link: null, referral: null }
  return {
    link: { token: row.token, url: row.target },
    // What an affiliate had before they were disabled is given out no more, either.
    referral:
      row.is_active && row.referral_id ? { id: row.referral_id, expiresAt: row.expires_at, isNew: row.is_new } : null,
  }
}

/** A deadlock is undone by the database; the statement is one whole, so it can be run again as it is. */
async function insertOnce(db: Db, clicks: readonly Click[]): Promise<Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertClicks(db, clicks)
    } catch (error) {
      if (attempt === attempts || !isTransient(error)) throw error
      await pause(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/**
 * One statement that looks up the links, finds what was recorded within the hour, and inserts the others: the visit,
 * whose id lets only one of several at the same moment in, and its referral, which is counted later (count.ts). Rows are
 * inserted in one order everywhere, so that instances do not wait for each other in a circle.
 */
function insertClicks(db: Db, clicks: readonly Click[]): Promise<Row[]> {
  const asked = JSON.stringify(clicks.map((click, n) => ({ n, ...click })))
  return db.$queryRaw<Row[]>`
    with asked as (
      select * from jsonb_to_recordset(${asked}::jsonb) as asked(
        n int, "programId" uuid, "tokenKey" text, "visitId" uuid, "earlierVisitId" uuid, "referralId" uuid,
        "visitorHash" text, url text, referrer text, at timestamptz)
    ), found as materialized (
      select asked.*, l.id as link_id, l.token, a.id as affiliate_id, a.state = 'active' as is_active,
        c.id as campaign_id, c.url as target, known.referral_id as known_id, known.expires_at as known_expires_at,
        asked.at + c.days_before_referrals_expire * interval '24 hours' as expires_at
      from asked
        join affiliate_links l on l.program_id = asked."programId" and l.token_key = asked."tokenKey"
        join affiliates a on a.program_id = l.program_id and a.id = l.affiliate_id
        join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
        left join lateral (
          select v.referral_id, r.expires_at
          from visits v join referrals r on r.program_id = v.program_id and r.id = v.referral_id
          where v.program_id = asked."programId" and v.id in (asked."visitId", asked."earlierVisitId")
            and v.at > asked.at - interval '1 hour'
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
        (program_id, id, affiliate_id, campaign_id, link_id, expires_at, is_counted, created_at, updated_at)
      select "programId", "referralId", affiliate_id, campaign_id, link_id, expires_at, false, at, at
      from found where "referralId" in (select referral_id from visited) order by "programId", affiliate_id
      returning id
    )
    select n, token, target, is_active, referred.id is not null as is_new,
      coalesce(referred.id, known_id)::text as referral_id, coalesce(known_expires_at, expires_at) as expires_at
    from found left join referred on referred.id = found."referralId"`
}
