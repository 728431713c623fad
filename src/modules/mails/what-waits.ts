import { Prisma } from '../../generated/prisma/client.ts'

// What waits for a person, as conditions of rows. The daily mail, the state of the installation, the dashboard and
// assistants count by these, so that they say the same.

const { sql } = Prisma

export const waits = {
  held: sql`(held_reason is not null and paid_at is null and voided_at is null)`,
  applications: sql`(state = 'applied' and confirmed_at is not null)`,
  unattributed: sql`(dismissed_at is null and needs_attention)`,
}

/** Proposals that can be confirmed. @param at a time in SQL */
export const openProposal = (at: Prisma.Sql): Prisma.Sql => sql`(state = 'open' and expires_at > ${at})`

/** Endpoints that the service has disabled, or that fail for longer than a hiccup takes. */
export const failingEndpoint = (at: Date): Prisma.Sql => sql`(
  disabled_reason in ('failing', 'gone')
  or disabled_at is null and failing_since <= ${at}::timestamptz - interval '10 minutes')`
