import type { Prisma } from '../../../generated/prisma/client.ts'
import { refused } from '../../../kernel/errors.ts'

const shownRules = 5

/** @throws REFUSED with the commission rules that name the group and have not ended */
export async function refuseNamed(
  tx: Prisma.TransactionClient,
  programId: string,
  groupId: string,
  now: Date,
): Promise<void> {
  const rules = await tx.$queryRaw<{ name: string; campaign: string }[]>`
    select r ->> 'name' as name, c.name as campaign
    from campaigns c
      join commission_rule_versions v
        on v.program_id = c.program_id and v.campaign_id = c.id and v.number = c.rules_version
      cross join jsonb_array_elements(v.rules) r
    where c.program_id = ${programId}::uuid and r -> 'conditions' -> 'groupIds' ? ${groupId}
      and coalesce((r ->> 'endsAt')::timestamptz > ${now}::timestamptz, true)
    order by c.name, r ->> 'name' limit ${shownRules}`
  if (rules.length === 0) return
  const named = rules.map(({ name, campaign }) => `"${name}" of the campaign "${campaign}"`).join(', ')
  throw refused(
    `The group cannot be deleted, because commission rules name it: ${named}. End them, or take the group out of their conditions.`,
  )
}
