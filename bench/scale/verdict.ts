import { diagnose, printLastLines, type Service } from '../resilience/service.ts'
import { compareSales } from './stored-sales.ts'

type Trial = {
  services: readonly Service[]
  /** The address of a server that has all that was committed. */
  url: string
  programId: string
  acknowledged: ReadonlySet<string>
  /** Whether all was as it must be until now. */
  isGood: boolean
}

/** Compares the sales with those that were acknowledged, runs the doctor, and has the trial fail if anything is wrong. */
export async function judge({ services, url, programId, acknowledged, isGood }: Trial): Promise<void> {
  const { stored, lost, doubled } = await compareSales(url, programId, acknowledged)
  console.log(
    `${acknowledged.size} sales acknowledged, ${stored.size} stored: ${lost.length} lost, ${doubled.length} doubled or without their commission`,
  )
  const alive = services.filter(({ process }) => process.exitCode === null)
  const findings = alive[0] ? await diagnose(alive[0].address) : Number.NaN
  console.log(`doctor: ${findings} findings; ${alive.length} of ${services.length} processes live`)
  if (isGood && lost.length + doubled.length === 0 && findings === 0 && alive.length === services.length) return
  process.exitCode = 1
  printLastLines([...services])
}

export const seconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1000).toFixed(2)} s` : 'never')

/** The first of some texts that differ, for a cell of a table. */
export const list = (texts: readonly string[]): string => [...new Set(texts)].slice(0, 3).join('; ') || '0'
