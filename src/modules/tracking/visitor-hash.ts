import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '../../kernel/db.ts'

export type Salts = {
  /** The salt of a program for the day of `at`. It is created when it is first needed. */
  of(programId: string, at: Date): Promise<string>
  /** Deletes the salts of past days. Hashes made with them cannot be linked to a visitor any more. */
  sweep(now: Date): Promise<void>
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** A random salt by program and day (UTC), on all instances: visitors are recognisable only within them. */
export function createSalts(db: Db): Salts {
  const known = new Map<string, { day: string; salt: Promise<string> }>()
  let sweptOn = ''
  return {
    async of(programId, at) {
      const day = dayOf(at)
      const cached = known.get(programId)
      if (cached?.day === day) return cached.salt
      const salt = readSalt(db, programId, day)
      known.set(programId, { day, salt })
      // Do not cache a failed read until midnight.
      salt.catch(() => known.delete(programId))
      return salt
    },
    async sweep(now) {
      const today = dayOf(now)
      if (sweptOn === today) return
      for (const [programId, { day }] of known) if (day < today) known.delete(programId)
      await db.trackingSalt.deleteMany({ where: { day: { lt: today } } })
      sweptOn = today
    },
  }
}

async function readSalt(db: Db, programId: string, day: string): Promise<string> {
  const key = { programId_day: { programId, day } }
  const found = await db.trackingSalt.findUnique({ where: key })
  if (found) return found.salt
  // If several instances create a salt concurrently, all use the first.
  const row = { programId, day, salt: randomBytes(32).toString('base64url') }
  await db.trackingSalt.createMany({ data: [row], skipDuplicates: true })
  await db.trackingSalt.deleteMany({ where: { programId, day: { lt: day } } })
  return (await db.trackingSalt.findUniqueOrThrow({ where: key })).salt
}

/** Identifies a visitor: the id that the browser generated for itself, or else the IP address and the user agent. */
export type Visitor = { id?: string | undefined; address: string; userAgent: string }

/** The hash under which a visitor is stored. No other personal data is stored. */
export const hashVisitor = (salt: string, { id, address, userAgent }: Visitor): string =>
  sign(salt, id === undefined ? ['address', address, userAgent] : ['id', id]).toString('base64url')

/** A keyed hash of the parts. Without the salt, guesses of the parts cannot be tested. */
export const sign = (salt: string, parts: readonly (string | number)[]): Buffer =>
  createHmac('sha256', salt).update(JSON.stringify(parts)).digest()
