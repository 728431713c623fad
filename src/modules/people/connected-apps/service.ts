import type { Person } from '../../../generated/prisma/client.ts'
import { notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { type AppsCtx, removeApp } from './tokens.ts'

/** The applications that act as the person, newest first. */
export async function listApps({ db, now }: Pick<AppsCtx, 'db' | 'now'>, person: Person) {
  const apps = await db.connectedApp.findMany({
    where: { personId: person.id, accessHash: { not: null }, endsAt: { gt: now } },
    include: { program: { select: { name: true, slug: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  return apps.map(({ id, name, host, canPropose, program, createdAt, lastUsedAt }) => {
    const times = { createdAt, lastUsedAt }
    return { id, name, host, canPropose, program, ...times }
  })
}

/** Ends an own connection. @throws NOT_FOUND */
export async function endApp(ctx: AppsCtx, person: Person, id: unknown): Promise<void> {
  const app =
    typeof id === 'string' && isId(id)
      ? await ctx.db.connectedApp.findFirst({ where: { id, personId: person.id } })
      : null
  if (!app) throw notFound('Connected application', String(id))
  await removeApp(ctx, app)
}
