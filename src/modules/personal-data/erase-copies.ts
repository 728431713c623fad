import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { snakeCase } from '../../kernel/text.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { fieldsWith, type Resource } from '../../resources/resource.ts'
import type { Mentioned } from '../idempotency/erase.ts'

type Tx = Prisma.TransactionClient
type Scope = Pick<ProgramCtx, 'program'>

/** Where else a row is copied to, and what replaces its personal columns there. */
export type Copies = {
  /** A query for the ids of further subjects of events; $1 is the program, $2 the person. */
  subjects?: string
  /** For each part of a frozen state, a row or a list of rows, the fields to replace. */
  replaced: Record<string, Record<string, string | null | object>>
}

/** What replaces the personal fields of a row: null, or an empty object. The e-mail has a rule of its own. */
export const erasedOf = ({ fields }: Resource): Record<string, null> =>
  Object.fromEntries(
    fieldsWith(fields, 'personal')
      .filter(([, { nullable, kind }]) => nullable || kind === 'json')
      // The type of a column of JSON is left to those who write it.
      .map(([name, { kind }]) => [name, kind === 'json' ? ({} as unknown as null) : null]),
  )

/** Each statement changes at most this many rows, so that it ends before the limit for statements. */
const batchSize = 2_000

/** The fields of a person in history and imports, besides the e-mail. */
const personalFields = [...Object.keys(erasedOf(affiliates)), 'token', 'mailSubject', 'taxIdReason']
const importedFields = [...personalFields, 'email', 'name', 'customerEmail', 'customerName']

/** Replaces personal columns in states of events, in deliveries, and in what imports have seen. */
export async function eraseCopies(tx: Tx, { program }: Scope, personId: string, copies: Copies): Promise<void> {
  const others = copies.subjects
    ? await tx.$queryRawUnsafe<{ id: string }[]>(
        `select distinct id::text from (${copies.subjects}) as subject (id)`,
        program.id,
        personId,
      )
    : []
  const rows = [{ id: personId }, ...others]
  for (let start = 0; start < rows.length; start += batchSize) {
    const ids = rows.slice(start, start + batchSize).map(({ id }) => id)
    const events = Prisma.sql`select id, state_id from events where program_id = ${program.id}::uuid and subject_id = any(${ids}::uuid[])`
    await tx.$executeRaw`
      update event_states s set state = ${replacedState(copies)}, rows = null
      from (${events}) e where s.program_id = ${program.id}::uuid and s.id = e.state_id`
    // A body that is sent again is made from the state.
    await tx.$executeRaw`
      update webhook_deliveries d set body = null,
        responses = (select coalesce(jsonb_agg(r - 'body'), '[]') from jsonb_array_elements(d.responses) r)
      from (${events}) e where d.program_id = ${program.id}::uuid and d.event_id = e.id`
    await tx.$executeRaw`
      update imported_records set seen = seen - ${importedFields}::text[], note = null
      where program_id = ${program.id}::uuid and id = any(${ids}::uuid[])`
  }
}

/** A state in either form. */
const stateJson = Prisma.sql`coalesce(s.state, to_jsonb(s.rows))`

function replacedState({ replaced }: Copies): Prisma.Sql {
  const parts = Object.entries(replaced).map(([part, fields]) => {
    const columns = Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeCase(name), value]))
    const old = Prisma.sql`${stateJson} -> ${part}::text`
    const given = Prisma.sql`${JSON.stringify(columns)}::jsonb`
    return Prisma.sql`|| case jsonb_typeof(${old})
      when 'object' then jsonb_build_object(${part}::text, (${old}) || ${given})
      when 'array' then jsonb_build_object(${part}::text,
        (select coalesce(jsonb_agg(row || ${given} order by n), '[]') from jsonb_array_elements(${old}) with ordinality as rows (row, n)))
      else '{}' end`
  })
  return Prisma.sql`${stateJson} ${Prisma.join(parts, ' ')}`
}

/** Takes personal values out of the history of an affiliate. The entries stay. */
export async function eraseHistory(tx: Tx, { program }: Scope, affiliateId: string, email: string): Promise<void> {
  await tx.$executeRaw`select set_config('tributary.erases_person', 'on', true)`
  await tx.$executeRaw`
    update changes set fields = (fields - ${personalFields}::text[])
      || case when fields ? 'email' then jsonb_build_object('email', jsonb_build_array(
        case when fields -> 'email' ->> 0 is not null then ${email}::text end, ${email}::text)) else '{}' end
    where program_id = ${program.id}::uuid and subject = 'affiliate' and subject_id = ${affiliateId}::uuid`
  await tx.$executeRaw`select set_config('tributary.erases_person', 'off', true)`
}

/** Takes the addresses and the full name of an affiliate out of payout runs and their files. Amounts and ids stay. */
export async function eraseRuns(
  tx: Tx,
  { program }: Scope,
  affiliateId: string,
  { addresses, names }: Pick<Mentioned, 'addresses' | 'names'>,
): Promise<void> {
  const runs = Prisma.sql`select run_id from payout_run_items where program_id = ${program.id}::uuid and affiliate_id = ${affiliateId}::uuid`
  // The last name is the full one. Single names are words of other people too.
  for (const text of [...addresses, ...names.slice(-1)])
    await tx.$executeRaw`
      update payout_run_file_parts set content = replace(content, ${text}, 'erased')
      where program_id = ${program.id}::uuid and run_id in (${runs}) and position(${text} in content) > 0`
  await tx.$executeRaw`
    update payout_run_items set recipient = null
    where program_id = ${program.id}::uuid and affiliate_id = ${affiliateId}::uuid and recipient is not null`
}

/**
 * Events of feeds that name the person, or mention the same customer of the billing system: what was sent is deleted,
 * and what was read in it is kept without the person. Ids and amounts stay, so that refunds still find their sale.
 */
export async function eraseFeedEvents(tx: Tx, { program }: Scope, { addresses, names }: Mentioned): Promise<void> {
  const patterns = addresses.map((address) => `%${address.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const naming = Prisma.sql`select id from feed_events where program_id = ${program.id}::uuid and raw ilike any (${patterns}::text[])`
  const customers = Prisma.sql`
    select fact #>> '{who,customer}' from feed_events e
      cross join jsonb_array_elements(case jsonb_typeof(e.facts) when 'array' then e.facts else '[]' end) fact
    where e.program_id = ${program.id}::uuid and e.id in (${naming}) and fact #>> '{who,customer}' is not null`
  const concerned = Prisma.sql`(${naming} union select event_id from feed_objects
    where program_id = ${program.id}::uuid and object in (${customers}))`
  await tx.$executeRaw`
    update feed_events e set raw = null, facts = (
      select coalesce(jsonb_agg(case when fact ? 'who'
        then jsonb_set(fact, '{who}', (fact -> 'who') - 'email' - 'emails' - 'name') else fact end order by n), '[]')
      from jsonb_array_elements(case jsonb_typeof(e.facts) when 'array' then e.facts else '[]' end)
        with ordinality as list (fact, n))
    where e.program_id = ${program.id}::uuid and e.id in (select * from ${concerned} as concerned)`
  for (const text of [...addresses, ...names])
    await tx.$executeRaw`
      update feed_events set reason = replace(reason, ${text}, 'erased')
      where program_id = ${program.id}::uuid and position(${text} in reason) > 0`
}

/** Failed requests are kept for some days with their problem, which can name the person. */
export async function eraseFailedRequests(tx: Tx, { program }: Scope, email: string): Promise<void> {
  for (const spelling of new Set([email, emailKey(email)])) {
    const pattern = `%${spelling.replaceAll(/[\\%_]/g, '\\$&')}%`
    await tx.$executeRaw`
      delete from failed_requests where program_id = ${program.id}::uuid
        and (problem ilike ${pattern} or path ilike ${pattern} or path ilike ${pattern.replaceAll('@', '\\%40')})`
  }
}
