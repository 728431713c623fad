import type { Prisma, Program, ReportGrant } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordInstallationChange } from '../history/installation.ts'
import { findProgram } from '../programs/service.ts'
import { reportGrantInput } from './input.ts'

// Which roles of PostgreSQL read which program in the schema `reports`: see prisma/sql/reports.sql.

/**
 * Lets a role read a program in the views of the schema `reports`. A second grant changes nothing.
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED on the embedded database, or if there is no such role
 */
export async function grantReports(ctx: Ctx, programId: string, raw: unknown): Promise<ReportGrant> {
  const { role } = await parseInput(reportGrantInput, raw)
  const program = await findProgram(ctx, programId)
  await requireReader(ctx, role)
  return ctx.db.$transaction(async (tx) => {
    const data = { programId: program.id, role, createdAt: ctx.now() }
    const grant = await tx.reportGrant.upsert({
      where: { programId_role: { programId: program.id, role } },
      create: data,
      update: {},
    })
    await tx.$executeRaw`select reports.grant_rights()`
    await recordAccess(tx, ctx, 'reports_granted', program)
    return grant
  })
}

/**
 * Takes back what `grantReports` gave. With its last program, the role loses its rights to the views.
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED if the role was not let in
 */
export async function revokeReports(ctx: Ctx, programId: string, raw: unknown): Promise<ReportGrant> {
  const { role } = await parseInput(reportGrantInput, raw)
  const program = await findProgram(ctx, programId)
  return ctx.db.$transaction(async (tx) => {
    const where = { programId: program.id, role }
    const grant = await tx.reportGrant.findFirst({ where })
    if (!grant) throw refused(`The role ${role} does not read the reports of ${program.slug}.`)
    await tx.reportGrant.deleteMany({ where })
    await tx.$executeRaw`select reports.take_rights(${role}::text)`
    await recordAccess(tx, ctx, 'reports_revoked', program)
    return grant
  })
}

/** The roles that read the program, by name. @throws NOT_FOUND */
export async function listReportGrants(ctx: Ctx, programId: string): Promise<ReportGrant[]> {
  const { id } = await findProgram(ctx, programId)
  return ctx.db.reportGrant.findMany({ where: { programId: id }, orderBy: { role: 'asc' } })
}

async function requireReader(ctx: Ctx, role: string): Promise<void> {
  if (ctx.db.sql.isInThread)
    throw refused('The embedded database has no roles that can log in. Reports for other tools need PostgreSQL.')
  const [found] = await ctx.db.$queryRaw<{ exists: boolean; isOwn: boolean }[]>`
    select exists (select from pg_roles where rolname = ${role}) as exists,
      ${role} in (current_user, current_user || '_program') as "isOwn"`
  if (found?.isOwn) throw refused(`The service itself uses the role ${role}. Create one for reports.`)
  if (!found?.exists)
    throw refused(
      `There is no role ${role}. Create it: CREATE ROLE "${role.replaceAll('"', '""')}" LOGIN PASSWORD '…';`,
    )
}

const recordAccess = (
  tx: Prisma.TransactionClient,
  ctx: Ctx,
  action: 'reports_granted' | 'reports_revoked',
  { id, name }: Pick<Program, 'id' | 'name'>,
) => recordInstallationChange(tx, ctx, { action, subjectId: id, subjectName: name }, ctx.now())
