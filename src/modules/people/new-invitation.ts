import type { Invitation } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { hashLinkToken, mintLinkToken } from './link-token.ts'

const validMs = 7 * 24 * 60 * 60_000

type Invited = Pick<Invitation, 'programId' | 'email' | 'role' | 'invitedBy'>

/** The row of a new invitation, and its link, which is the only way to accept it and is not stored. */
export function newInvitation(invited: Invited, now: Date, publicUrl: string): { row: Invitation; url: string } {
  const token = mintLinkToken()
  return {
    row: {
      ...invited,
      id: mintId(now),
      tokenHash: hashLinkToken(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + validMs),
    },
    url: `${publicUrl}/dashboard/invitation#token=${token}`,
  }
}
