import { type Batch, findImported } from '../batch.ts'
import { leaveOut } from '../plan.ts'
import { snapshotOf } from '../snapshot.ts'

type WithSale = {
  externalId?: string | undefined
  saleId?: string | undefined
  currency?: string | undefined
  saleCurrency?: string | undefined
  saleAmountCents?: bigint | undefined
  saleRefundedCents?: bigint | undefined
}

/** Leaves out the sales of which no commission was imported, so that the report counts them. */
export async function leaveOutSales(batch: Batch, records: readonly WithSale[]): Promise<void> {
  const { results } = batch
  const leftOut = records.filter(
    ({ externalId, saleId }) =>
      saleId !== undefined &&
      results.get(`commission ${externalId}`)?.outcome === 'left_out' &&
      !results.has(`sale ${saleId}`),
  )
  if (leftOut.length === 0) return
  const imported = await findImported(
    batch,
    'sale',
    leftOut.map(({ saleId }) => saleId),
  )
  for (const { saleId = '', currency, saleCurrency = currency, saleAmountCents, saleRefundedCents = 0n } of leftOut) {
    if (imported.has(saleId)) continue
    const sale = { amountCents: saleAmountCents, refundedCents: saleRefundedCents, currency: saleCurrency }
    const snapshot = saleAmountCents === undefined ? {} : snapshotOf(sale)
    leaveOut(batch, 'sale', saleId, { message: 'Their commission was not imported.' }, snapshot)
  }
}
