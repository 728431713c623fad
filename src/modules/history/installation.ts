import type { InstallationChange, Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { mintId } from '../../kernel/ids.ts'
import { queryOf, type Slice, sliceOf, type Window } from '../../listing/window.ts'
import { storedActor } from './actor.ts'

export type InstallationAction =
  | 'program_created'
  | 'program_deleted'
  | 'program_closed'
  | 'program_opened'
  | 'program_imported'
  | 'reports_granted'
  | 'reports_revoked'
  | 'set_up_link_created'
  | 'operator_created'
  | 'password_reset_link_created'
  | 'password_reset'
  | 'password_changed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'recovery_codes_replaced'
  | 'account_updated'
  | 'email_change_link_created'
  | 'email_changed'
  | 'signed_in'
  | 'signed_out'
  | 'session_ended'
  | 'other_sessions_ended'
  | 'second_factor_failed'
  | 'app_connected'
  | 'app_ended'

/** @param what with the name of the program or the e-mail address of the person, as it is then */
export async function recordInstallationChange(
  tx: Pick<Prisma.TransactionClient, 'installationChange'>,
  { actor, requestId }: Pick<Ctx, 'actor' | 'requestId'>,
  what: { action: InstallationAction; subjectId?: string; subjectName?: string },
  at: Date,
): Promise<void> {
  await tx.installationChange.create({ data: { id: mintId(at), ...what, ...storedActor(actor), requestId, at } })
}

/** The entries of the installation, newest first. */
export async function listInstallationHistory(
  { db }: Pick<Ctx, 'db'>,
  window: Window,
): Promise<Slice<InstallationChange>> {
  const where = window.beyond as Prisma.InstallationChangeWhereInput
  return sliceOf(window, await db.installationChange.findMany({ where, ...queryOf(window) }))
}

export const countInstallationHistory = ({ db }: Pick<Ctx, 'db'>): Promise<number> => db.installationChange.count()
