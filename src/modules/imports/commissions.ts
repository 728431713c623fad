import type { Batch } from './batch.ts'
import { leaveOut } from './batch.ts'
import { catchUp } from './catch-up.ts'
import { takeDebts } from './debts.ts'
import { takeEarned } from './earned.ts'
import { type CommissionRecord, readGround } from './ground.ts'
import { newLedger, writeLedger } from './ledger.ts'
import { stateOf } from './source-state.ts'

/**
 * Commissions with their sales: new ones as they stand at the source, and what became there of those that were imported
 * before. A negative one takes back a part of a paid one, whose sale has to be here.
 */
export async function takeCommissions(batch: Batch, records: CommissionRecord[]): Promise<void> {
  const ground = await readGround(batch, records)
  const ledger = newLedger()
  const readable = records.filter((record) => {
    if (stateOf(record)) return true
    const message = `The state "${record.state}" is not known here.`
    leaveOut(batch, 'commission', record.externalId, { field: 'state', message })
    return false
  })
  const isKnown = ({ externalId }: CommissionRecord) => ground.commissions.has(ground.known.get(externalId)?.id ?? '')
  await takeEarned(
    batch,
    ground,
    ledger,
    readable.filter((record) => !isKnown(record) && record.amountCents >= 0n),
  )
  await takeDebts(
    batch,
    ground,
    ledger,
    readable.filter((record) => !isKnown(record) && record.amountCents < 0n),
  )
  await catchUp(batch, ground, ledger, readable.filter(isKnown))
  await writeLedger(batch, ledger)
}
