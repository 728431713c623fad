import { execFileSync } from 'node:child_process'

/** The median of a number of runs, in milliseconds. */
export async function medianMs(runs: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < runs; n += 1) {
    const startedAt = performance.now()
    await run()
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

export const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number

/** What is measured: the commit, and whether files differ from it. */
export const commit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], { encoding: 'utf8' }).trim()
