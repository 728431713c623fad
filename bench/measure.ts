import { execFileSync } from 'node:child_process'

export const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number

/** What is measured: the commit, and whether files differ from it. */
export const commit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], { encoding: 'utf8' }).trim()
