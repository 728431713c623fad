import type { Person } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'

const secondFactorEndpoints: readonly string[] = ['/two-factor/verify-totp', '/two-factor/verify-backup-code']

/** Whether a code of the second factor is sent to the endpoint. */
export const takesSecondFactor = (endpoint: string): boolean => secondFactorEndpoints.includes(endpoint)

/** The person whose sign-in waits for the second factor, by the library's signed cookie. */
export async function findPendingPerson(db: AppDb, now: Date, headers: Headers): Promise<Person | null> {
  const [, cookie] = /(?:^|;\s*)(?:__Secure-)?tributary\.two_factor=([^;]+)/.exec(headers.get('cookie') ?? '') ?? []
  const identifier = cookie && /^[^.%]+/.exec(cookie)?.[0]
  if (!identifier) return null
  const pending = await db.personVerification.findFirst({ where: { identifier, expiresAt: { gt: now } } })
  return pending && db.person.findUnique({ where: { id: pending.value } })
}
