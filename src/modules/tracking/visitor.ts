import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '../../kernel/context.ts'

export type Salts = {
  /** The salt of a program's day, made when it is first needed. */
  of(programId: string, at: Date): Promise<string>
  /** Forgets the salts of days that are over: what was hashed with them can not be found out any more. */
  sweep(now: Date): Promise<void>
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/**
 * A random salt for each program and day (UTC), the same for all instances, so that a visitor can be recognised within
 * a day and never beyond it, nor in another program.
 */
export function createSalts(db: Db): Salts {
  const known = new Map<string, { day: string; salt: Promise<string> }>()
  let sweptOn = ''
  return {
    async of(programId, at) {
      const day = dayOf(at)
      const kept = known.get(programId)
      if (kept?.day === day) return kept.salt
      const salt = readSalt(db, programId, day)
      known.set(programId, { day, salt })
      // A look that failed must not be what everybody gets until midnight.
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
  // Of several instances that make one at the same moment, the first one's is everybody's.
  const row = { programId, day, salt: randomBytes(32).toString('base64url') }
  await db.trackingSalt.createMany({ data: [row], skipDuplicates: true })
  await db.trackingSalt.deleteMany({ where: { programId, day: { lt: day } } })
  return (await db.trackingSalt.findUniqueOrThrow({ where: key })).salt
}

/** Who came: the id that the browser made for itself, or else the address and the browser's name. */
export type Visitor = { id?: string | undefined; address: string; userAgent: string }

/** A visitor as they are stored. Nothing of who they are is kept but this. */
export const hashVisitor = (salt: string, { id, address, userAgent }: Visitor): string =>
  sign(salt, id === undefined ? ['address', address, userAgent] : ['id', id]).toString('base64url')

/** Bytes that follow from what they are of, and from which nobody without the salt can tell what that was. */
export const sign = (salt: string, parts: readonly (string | number)[]): Buffer =>
  createHmac('sha256', salt).update(JSON.stringify(parts)).digest()
