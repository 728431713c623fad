import type { ProgramCtx } from '../../kernel/context.ts'

/** How many sales a replay has read, and how many there are. */
export type ReplayProgress = { replayed: number; total: number }

/** The replays that run in this process, by program and plan. */
const running = new Map<string, ReplayProgress>()

const keyOf = ({ program }: ProgramCtx, planId: string): string => `${program.id} ${planId}`

/** Runs a replay whose progress other requests can read. It changes `progress.replayed`. */
export async function withProgress<T>(
  ctx: ProgramCtx,
  planId: string,
  replay: (progress: ReplayProgress) => Promise<T>,
): Promise<T> {
  const key = keyOf(ctx, planId)
  const progress = { replayed: 0, total: await ctx.db.sale.count({ where: { programId: ctx.program.id } }) }
  running.set(key, progress)
  try {
    return await replay(progress)
  } finally {
    if (running.get(key) === progress) running.delete(key)
  }
}

/** The progress of a replay of the same plan that runs in this process. Null without one. */
export const progressOf = (ctx: ProgramCtx, planId: string): ReplayProgress | null => {
  const progress = running.get(keyOf(ctx, planId))
  // A copy: an answer does not change while it is written.
  return progress ? { ...progress } : null
}
