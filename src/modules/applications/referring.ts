import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { oldestLinks } from '../affiliates/links/oldest.ts'
import { isSignatureOf, signatureOf } from '../mails/signature.ts'
import { readJoinSettings } from './settings.ts'

type Scope = Pick<ProgramCtx, 'db' | 'program'>

const signed = (programId: string, campaignId: string, email: string) =>
  `join invitation ${programId} ${campaignId} ${emailKey(email)}`

/** Part of the link that invites an e-mail to a private campaign. It works for this e-mail alone. */
export const invitationFor = (key: Buffer, programId: string, campaignId: string, email: string): string =>
  signatureOf(key, signed(programId, campaignId, email))

export const isInvitationFor = (
  key: Buffer,
  { programId, campaignId, email }: { programId: string; campaignId: string; email: string },
  invitation: unknown,
): boolean => typeof invitation === 'string' && isSignatureOf(key, signed(programId, campaignId, email), invitation)

/** The affiliate whose invitation link was used, by the token of a link. Null for a token without an affiliate. */
export async function findReferrer({ db, program }: Scope, token: string | undefined): Promise<string | null> {
  if (token === undefined) return null
  const where = { programId: program.id, token, archivedAt: null, affiliate: { state: 'active' } } as const
  return (await db.affiliateLink.findFirst({ where, select: { affiliateId: true } }))?.affiliateId ?? null
}

/** For each affiliate, who referred them: the affiliate whose link was used for the application. */
export async function referrersOf({ db, program }: Scope, ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await db.application.findMany({
    where: { programId: program.id, affiliateId: { in: [...ids] }, referredById: { not: null } },
    select: { affiliateId: true, referredById: true },
    // An affiliate who applied again stays with the first one.
    orderBy: { id: 'desc' },
  })
  const byId = new Map(rows.map(({ affiliateId, referredById }) => [affiliateId, referredById]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** For each affiliate, the page where people apply, with their token. Null without a link, or while it is closed. */
export async function invitationUrlsOf(
  scope: Scope,
  publicUrl: string,
  ids: readonly string[],
): Promise<(string | null)[]> {
  const [links, { isOpen }] = await Promise.all([oldestLinks(scope, ids), readJoinSettings(scope.db, scope)])
  return ids.map((id) => {
    const link = links.get(id)
    return link && isOpen
      ? `${publicUrl}/join/${scope.program.slug}?${new URLSearchParams({ invited_by: link.token })}`
      : null
  })
}
