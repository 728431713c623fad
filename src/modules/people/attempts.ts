import { createHash } from 'node:crypto'
import { statement } from '../../database/client/sql.ts'
import type { AppDb } from '../../kernel/db.ts'
import { personAddress } from './address.ts'

export type AttemptLimit = { max: number; periodMs: number }

const minute = 60_000

export const ofAddress: AttemptLimit = { max: 60, periodMs: 15 * minute }
/** For one account, from one address. Like the limits below, it holds whether the account exists or not. */
export const ofAccountAndAddress: AttemptLimit = { max: 10, periodMs: 15 * minute }
/** For one account, from all addresses except known devices. */
export const ofAccount: AttemptLimit = { max: 100, periodMs: 15 * minute }
/** For one account, from a device on which the person has signed in. */
export const ofDevice: AttemptLimit = { max: 30, periodMs: 15 * minute }

/** Mails that somebody asks for an account. It holds whether the account exists or not. */
export const mailsOfAccount: AttemptLimit = { max: 3, periodMs: 15 * minute }

/** A code of an authenticator app is valid for a minute and a half at most. In this time, it completes one sign-in. */
export const usesOfCode: AttemptLimit = { max: 1, periodMs: 2 * minute }

const count = statement<{ count: number; startedAt: Date }>(`
  insert into sign_in_attempts as a (key, count, started_at) values ($1, 1, $2)
  on conflict (key) do update set
    count = case when a.started_at <= $3 then 1 else a.count + 1 end,
    started_at = case when a.started_at <= $3 then $2 else a.started_at end
  returning a.count, a.started_at as "startedAt"`)

export const accountAttempts = (email: string): string => `account ${personAddress(email)}`

/** The names and limits under which the attempts of a device that is not known are counted. */
export const strangersAttempts = (email: string, address: string): [string, AttemptLimit][] => [
  [`${accountAttempts(email)} from ${address}`, ofAccountAndAddress],
  [accountAttempts(email), ofAccount],
]

/** The name and limit under which the attempts of a known device are counted. */
export const deviceAttempts = (email: string, deviceId: string): [string, AttemptLimit][] => [
  [`${accountAttempts(email)} device ${deviceId}`, ofDevice],
]

/** The name under which the uses of a person's code are counted. */
export const codeUses = (personId: string, code: string): string => `code ${personId} ${code.replace(/\D/g, '')}`

/** Counts an attempt on all instances, by a hash. Returns the seconds to wait; null if it is allowed. */
export async function countAttempt(
  db: AppDb,
  now: Date,
  name: string,
  { max, periodMs }: AttemptLimit,
): Promise<number | null> {
  const [row] = await db.sql.query(count, [keyOf(name), now, new Date(now.getTime() - periodMs)])
  if (!row || row.count <= max) return null
  return Math.max(1, Math.ceil((row.startedAt.getTime() + periodMs - now.getTime()) / 1000))
}

export const forgetAttempts = (db: AppDb, name: string) => db.signInAttempt.deleteMany({ where: { key: keyOf(name) } })

export const deleteOldAttempts = (db: AppDb, now: Date) =>
  db.signInAttempt.deleteMany({ where: { startedAt: { lt: new Date(now.getTime() - ofAddress.periodMs) } } })

const keyOf = (name: string): string => createHash('sha256').update(name).digest('base64url')
