import type { ProgramCtx } from '../../kernel/context.ts'

/** The names that the rules of rewards for leads had then. @param ids of commissions */
export async function leadRuleNames({ db, program }: ProgramCtx, ids: readonly string[]): Promise<string[]> {
  const found = await db.$queryRaw<{ id: string; name: string }[]>`
    select c.id::text, (
      select rule ->> 'name' from commission_rule_versions v cross join jsonb_array_elements(v.rules) rule
      where v.program_id = c.program_id and v.campaign_id = c.campaign_id and v.holds_from <= c.occurred_at
        and v.created_at <= c.created_at and rule ->> 'id' = c.rule_id::text
      order by v.number desc limit 1) as name
    from commissions c where c.program_id = ${program.id}::uuid and c.id = any(${[...ids]}::uuid[])`
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return ids.map((id) => names.get(id) ?? 'a rule that was reverted')
}
