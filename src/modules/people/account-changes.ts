import type { Person } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { type InstallationAction, recordInstallationChange } from '../history/installation.ts'
import { actorOf } from './account.ts'

/** What people change in their own account, by the endpoint of the sign-in library that does it. */
const actions: Readonly<Record<string, InstallationAction>> = {
  '/change-password': 'password_changed',
  '/update-user': 'account_updated',
  '/sign-out': 'signed_out',
  '/revoke-session': 'session_ended',
  '/revoke-other-sessions': 'other_sessions_ended',
  '/two-factor/disable': 'second_factor_disabled',
  // The first code enables the second factor.
  '/two-factor/verify-totp': 'second_factor_enabled',
}

export const isAccountChange = (endpoint: string): boolean => Object.hasOwn(actions, endpoint)

type Scope = { db: AppDb; now: Date } & Pick<Ctx, 'requestId'>

/** @param person as before the change */
export async function recordAccountChange(scope: Scope, person: Person, endpoint: string): Promise<void> {
  const action = actions[endpoint]
  if (!action || (action === 'second_factor_enabled' && person.hasSecondFactor)) return
  await recordOfPerson(scope, person, action)
}

/** Records what a person did with their sign-in. */
export async function recordOfPerson(
  { db, now, requestId }: Scope,
  person: Person,
  action: InstallationAction,
): Promise<void> {
  const what = { action, subjectId: person.id, subjectName: person.email }
  await recordInstallationChange(db, { actor: actorOf(person), requestId }, what, now)
}
