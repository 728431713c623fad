import { startProgressLine } from '../progress-line.ts'

/** How many sales a plan has replayed. */
export type Replay = { replayed: number; total: number }

const width = 30

/** "[#########---------------------] 30 % of 100,000 sales" */
export function barOf({ replayed, total }: Replay): string {
  const share = total === 0 ? 1 : Math.min(replayed / total, 1)
  const filled = Math.floor(share * width)
  const count = new Intl.NumberFormat('en').format(total)
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${Math.floor(share * 100)} % of ${count} sales`
}

/**
 * Shows the progress of a plan on a terminal: it is read each second, until the returned function is called. An answer
 * that is missing or fails leaves the line as it is.
 */
export function showReplay(read: () => Promise<Replay | null>): () => void {
  if (!process.stderr.isTTY) return () => {}
  const line = startProgressLine()
  let isOver = false
  const poll = async () => {
    const progress = await read().catch(() => null)
    if (isOver) return
    if (progress) line.show(barOf(progress))
    timer = setTimeout(poll, 1_000)
  }
  let timer = setTimeout(poll, 500)
  return () => {
    isOver = true
    clearTimeout(timer)
    line.end()
  }
}
