import { OperatorError } from '../../database/operator-error.ts'
import type { Access, Inspected } from '../../database/program-file/inspect.ts'
import type { Query } from '../../database/tables.ts'
import type { memberRoles } from '../../modules/people/input.ts'
import { confirmSlug } from '../confirm.ts'
import type { Session } from './session.ts'

export type Trust = {
  /** Keep the access in a file that another installation wrote. */
  keepAccess: boolean
  /** Do not ask for it. */
  yes: boolean
}

/** `own`: a file of this installation. `kept`: a foreign file whose access stays. Else only safe access. */
export type Decision = 'own' | 'kept' | 'ended'

/**
 * What to do with the keys, members and invitations of a file. For a foreign file, prints who has access, and asks.
 * @throws OperatorError if the operator does not confirm, or if another program has a key of the file
 */
export async function decideAccess(
  { db }: Session,
  { header, trailer, access }: Inspected,
  key: Buffer,
  { keepAccess, yes }: Trust,
): Promise<Decision> {
  const { isWrittenWith } = await import('../../database/program-file/mac.ts')
  // A key of two programs would lead its requests to either.
  const secretHash = { in: access.keys.map(({ secretHash }) => secretHash) }
  if (await db.apiKey.findFirst({ where: { secretHash, programId: { not: header.program.id } } }))
    throw new OperatorError('An API key of the file is one of another program here. Nothing was imported.')
  if (isWrittenWith(key, trailer.end)) return 'own'
  for (const line of describeAccess(access)) console.log(line)
  if (keepAccess && !yes)
    await confirmSlug(
      'The access above comes with the program, as the file has it.',
      header.program.slug,
      undefined,
      'Nothing was imported.',
    )
  return keepAccess ? 'kept' : 'ended'
}

function describeAccess({ keys, members, invitations }: Access): string[] {
  const valid = keys.filter(({ isRevoked }) => !isRevoked)
  return [
    'The file is foreign: it was not written with the WEBHOOK_KEY of this installation. According to it, these have access:',
    ...valid.map(({ name, lastFour, access }) => `  API key ${name} (…${lastFour}), ${access}`),
    ...members.map(({ email, name, role }) => `  member ${email} (${name}), ${role}`),
    ...invitations.map(({ email, role }) => `  open invitation of ${email}, ${role}`),
    ...(valid.length + members.length + invitations.length === 0 ? ['  nobody'] : []),
  ]
}

export function revoked(row: string): string {
  const key = JSON.parse(row)
  return JSON.stringify({ ...key, revoked_at: key.revoked_at ?? new Date() })
}

/** A row of an invitation of another installation, whose people are not known here. */
export const invitedByOperator = (row: string): string => JSON.stringify({ ...JSON.parse(row), invited_by: null })

export async function inviteMembers(
  query: Query,
  programId: string,
  members: Access['members'],
  publicUrl: string,
): Promise<string[]> {
  const { newInvitation } = await import('../../modules/people/new-invitation.ts')
  const lines: string[] = []
  for (const { email, name, role } of members) {
    const invited = { programId, email, role: role as (typeof memberRoles)[number], invitedBy: null }
    const { row, url } = newInvitation(invited, new Date(), publicUrl)
    await query(
      `insert into invitations (program_id, id, email, role, token_hash, invited_by, created_at, expires_at)
      values ($1::uuid, $2::uuid, lower($3), $4::text::member_role, $5, null, $6::timestamptz, $7::timestamptz)`,
      [programId, row.id, email, role, row.tokenHash, row.createdAt.toISOString(), row.expiresAt.toISOString()],
    )
    lines.push(`  ${email} (${name}), ${role}: ${url}`)
  }
  return lines
}
