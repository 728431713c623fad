import type { Application } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'

/** How many other applications had the same e-mail, and how many of other e-mails came from the same address. */
export type OtherApplications = { earlier: number; sameAddress: number }

/** @param ids of applications */
export async function countOtherApplications(
  { db, program }: Pick<ProgramCtx, 'db' | 'program'>,
  ids: readonly Application['id'][],
): Promise<OtherApplications[]> {
  const rows = await db.$queryRaw<(OtherApplications & { id: string })[]>`
    select a.id::text,
      (select count(*)::int from applications o
        where o.program_id = a.program_id and o.email_key = a.email_key and o.id < a.id and o.confirmed_at is not null) as earlier,
      (select count(*)::int from applications o
        where o.program_id = a.program_id and o.address = a.address and o.email_key <> a.email_key) as "sameAddress"
    from applications a where a.program_id = ${program.id}::uuid and a.id = any(${[...ids]}::uuid[])`
  const byId = new Map(rows.map(({ id, ...known }) => [id, known]))
  return ids.map((id) => byId.get(id) ?? { earlier: 0, sameAddress: 0 })
}
