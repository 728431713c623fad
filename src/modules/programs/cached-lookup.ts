import { LRUCache } from 'lru-cache'
import type { Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { publishableKeyForm } from './publishable-key.ts'

/** A click does not read the program again. A revoked publishable key works that much longer. */
const cacheOptions = { max: 1_000, ttl: 2_000 }

/** One cache for each database, since one process may use several (tests do). */
const caches = new WeakMap<object, LRUCache<string, Program>>()

const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** The program with this publishable key; null if unknown or ended. @param ctx with the true time, for rotated keys */
export async function findProgramByKey(ctx: Pick<Ctx, 'db' | 'now'>, key: string): Promise<Program | null> {
  if (!publishableKeyForm.test(key)) return null
  const isAccepted = ({ publishableKey, previousPublishableKeyEndsAt: endsAt }: Program) =>
    publishableKey === key || (endsAt !== null && endsAt > ctx.now())
  const program = await cached(ctx.db, key, () =>
    ctx.db.program.findFirst({ where: { OR: [{ publishableKey: key }, { previousPublishableKey: key }] } }),
  )
  return program && isAccepted(program) ? program : null
}

/** Whether a text, in any case, has the form of a slug. */
export const isSlug = (text: string): boolean => text.length <= 100 && slugForm.test(text.toLowerCase())

/** The program with this slug, compared without regard to case. */
export async function findProgramBySlug(ctx: Pick<Ctx, 'db'>, slug: string): Promise<Program | null> {
  const name = slug.toLowerCase()
  if (!isSlug(name)) return null
  return cached(ctx.db, name, () => ctx.db.program.findUnique({ where: { slug: name } }))
}

/** The program of an installation that has one only, sandboxes beside it not counted. */
export async function findOnlyProgram({ db }: Pick<Ctx, 'db'>): Promise<Program | null> {
  for (const isSandbox of [false, true]) {
    const [first, second] = await db.program.findMany({ where: { closedAt: null, isSandbox }, take: 2 })
    if (first) return second ? null : first
  }
  return null
}

export function forgetCachedPrograms(db: AppDb): void {
  caches.delete(db.base)
}

async function cached(db: AppDb, name: string, read: () => Promise<Program | null>): Promise<Program | null> {
  // If the cache is cleared during the read, the result goes into the old cache, which is no longer used.
  const base = db.base
  const cache = caches.get(base) ?? new LRUCache<string, Program>(cacheOptions)
  caches.set(base, cache)
  const known = cache.get(name)
  if (known) return known
  const program = await read()
  // Sandboxes are not cached: their clock can be advanced at any time, and they get few clicks.
  if (program && !program.isSandbox) cache.set(name, program)
  return program
}
