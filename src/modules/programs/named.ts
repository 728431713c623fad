import type { Program } from '../../generated/prisma/client.ts'
import type { Ctx, Db } from '../../kernel/context.ts'
import { publishableKeyPrefix } from './publishable-key.ts'

/**
 * How long a program that a public page named is kept in memory, so that a click does not read it again. Another
 * instance may take a key that was ended for that much longer; it opens nothing but the tracking of visits and leads.
 */
const keptForMs = 2_000
const mostKept = 1_000

type Kept = { program: Program; until: number }

/** By database, as one process may use several (tests do). */
const known = new WeakMap<object, Map<string, Kept>>()

const keyForm = new RegExp(`^${publishableKeyPrefix}[0-9a-z]{32}$`)
const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/

/**
 * The program with this publishable key; null for a key that is unknown or whose time is over.
 *
 * @param ctx its clock is the true one: how long a key before the last rotation is taken follows from it
 */
export async function findProgramByKey(ctx: Pick<Ctx, 'db' | 'now'>, key: string): Promise<Program | null> {
  if (!keyForm.test(key)) return null
  const isTaken = ({ publishableKey, previousPublishableKeyEndsAt: endsAt }: Program) =>
    publishableKey === key || (endsAt !== null && endsAt > ctx.now())
  const program = await remembered(ctx.db, key, () =>
    ctx.db.program.findFirst({ where: { OR: [{ publishableKey: key }, { previousPublishableKey: key }] } }),
  )
  return program && isTaken(program) ? program : null
}

/** The program with this slug, in any case of its letters. */
export async function findProgramBySlug(ctx: Pick<Ctx, 'db'>, slug: string): Promise<Program | null> {
  const name = slug.toLowerCase()
  if (name.length > 100 || !slugForm.test(name)) return null
  return remembered(ctx.db, name, () => ctx.db.program.findUnique({ where: { slug: name } }))
}

/** To be called where a program has changed: what is read next is how it is now. */
export function forgetNamedPrograms(db: Db): void {
  known.delete(db)
}

async function remembered(db: Db, name: string, read: () => Promise<Program | null>): Promise<Program | null> {
  const programs = known.get(db) ?? new Map<string, Kept>()
  known.set(db, programs)
  const kept = programs.get(name)
  if (kept && kept.until > performance.now()) return kept.program
  const program = await read()
  programs.delete(name)
  // A sandbox's clock moves at a word, and nobody clicks there by the thousand.
  if (program && !program.sandbox) {
    programs.set(name, { program, until: performance.now() + keptForMs })
    const [oldest] = programs.keys()
    if (programs.size > mostKept && oldest !== undefined) programs.delete(oldest)
  }
  return program
}
