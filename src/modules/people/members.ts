import { withTransaction } from '../../database/client/transaction.ts'
import type { Member, Person, Prisma, Program } from '../../generated/prisma/client.ts'
import { type Ctx, isOperator, type ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordChange, recordChanges } from '../history/record.ts'
import { removeMemberInput, updateMemberInput } from './input.ts'

export type MemberWithPerson = Member & { person: Person }

export const listMembers = ({ db, program }: ProgramCtx): Promise<MemberWithPerson[]> =>
  db.member.findMany({
    where: { programId: program.id },
    include: { person: true },
    orderBy: [{ person: { name: 'asc' } }, { personId: 'asc' }],
  })

/** The member with the id of the GraphQL type: `programId/personId`. Null if the program has none. */
export async function findMember({ db, program }: ProgramCtx, id: string): Promise<MemberWithPerson | null> {
  const [programId, personId = '', ...rest] = id.split('/')
  if (programId !== program.id || !isId(personId) || rest.length > 0) return null
  return db.member.findUnique({
    where: { programId_personId: { programId, personId } },
    include: { person: true },
  })
}

/** The programs that a person can open, by name; all programs for an operator. */
export async function listOwnPrograms(
  { db }: Pick<Ctx, 'db'>,
  { id, isOperator }: { id: string; isOperator: boolean },
): Promise<{ program: Program; role: Member['role'] }[]> {
  if (isOperator) {
    const programs = await db.program.findMany({
      where: { deletedAt: null },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    })
    return programs.map((program) => ({ program, role: 'owner' }))
  }
  return db.member.findMany({
    where: { personId: id },
    select: { role: true, program: true },
    orderBy: [{ program: { name: 'asc' } }, { programId: 'asc' }],
  })
}

/** The role of a person in a program; null without access. An operator has all rights of an owner. */
export async function findRole(
  { db }: { db: Db },
  person: Pick<Person, 'id' | 'isOperator'>,
  programId: string,
): Promise<Member['role'] | null> {
  if (person.isOperator) return 'owner'
  const member = await db.member.findUnique({
    where: { programId_personId: { programId, personId: person.id } },
    select: { role: true },
  })
  return member?.role ?? null
}

/** Changes a member's role, with effect from their next request. @throws NOT_FOUND; REFUSED for the last owner */
export async function updateMember(ctx: ProgramCtx, raw: unknown): Promise<MemberWithPerson> {
  const { personId, role } = await parseInput(updateMemberInput, raw)
  return changeMember(ctx, personId, 'updated', role !== 'owner', (tx, where) =>
    tx.member.update({ where, data: { role }, include: { person: true } }),
  )
}

/** Ends a member's access, with effect from their next request. @throws NOT_FOUND; REFUSED for the last owner */
export async function removeMember(ctx: ProgramCtx, raw: unknown): Promise<MemberWithPerson> {
  const { personId } = await parseInput(removeMemberInput, raw)
  return changeMember(ctx, personId, 'removed', true, (tx, where) =>
    tx.member.delete({ where, include: { person: true } }),
  )
}

/** A program keeps an owner, unless an operator takes the last one away. */
async function changeMember(
  ctx: ProgramCtx,
  personId: string,
  action: 'updated' | 'removed',
  endsOwnership: boolean,
  change: (tx: Prisma.TransactionClient, where: Prisma.MemberWhereUniqueInput) => Promise<MemberWithPerson>,
): Promise<MemberWithPerson> {
  const { db, program, actor } = ctx
  const programId = program.id
  if (!isId(personId)) throw notFound('Member', personId)
  return withTransaction(db, async (tx) => {
    // Two owners who remove each other wait here, so that one of them remains.
    await tx.$queryRaw`select 1 from members where program_id = ${programId}::uuid and role = 'owner' order by person_id for update`
    const member = await tx.member.findUnique({ where: { programId_personId: { programId, personId } } })
    if (!member) throw notFound('Member', personId)
    if (endsOwnership && member.role === 'owner' && !isOperator(actor)) {
      const owners = await tx.member.count({ where: { programId, role: 'owner' } })
      if (owners === 1) throw refused('The last owner cannot be removed. Make another member an owner first.')
    }
    const changed = await change(tx, { programId_personId: { programId, personId } })
    const { email } = changed.person
    const after = action === 'removed' ? null : { ...changed, email }
    const what = { subject: 'member', subjectId: personId, action, named: ['email'] } as const
    await recordChange(tx, ctx, what, { ...member, email }, after, ctx.now())
    if (endsOwnership && !changed.person.isOperator) await endInvitationsOf(tx, ctx, personId)
    return changed
  })
}

async function endInvitationsOf(tx: Prisma.TransactionClient, ctx: ProgramCtx, personId: string): Promise<void> {
  const where = { programId: ctx.program.id, invitedBy: personId }
  const open = await tx.invitation.findMany({ where })
  await tx.invitation.deleteMany({ where })
  const what = { subject: 'invitation', action: 'revoked' } as const
  const changes = open.map((invitation) => ({ ...what, subjectId: invitation.id, before: invitation, after: null }))
  await recordChanges(tx, ctx, changes, ctx.now())
}
