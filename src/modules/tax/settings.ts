import { withTransaction } from '../../database/client/transaction.ts'
import type { TaxSettings } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordProgramChange } from '../history/record.ts'
import { lockProgram } from '../programs/lock.ts'
import { updateTaxSettingsInput } from './input/settings.ts'
import { readVatId } from './vat-ids/read.ts'

export type Settings = Omit<TaxSettings, 'updatedAt'>

const defaults = {
  needsProfileForPayouts: false,
  payerCountry: null,
  payerName: null,
  payerStreet: null,
  payerPostalCode: null,
  payerCity: null,
  payerRegion: null,
  payerVatId: null,
  payerTaxId: null,
  withholdingBasisPoints: null,
}

export const settingsOf = (programId: string, row: TaxSettings | null): Settings => row ?? { ...defaults, programId }

export const readTaxSettings = async (db: Db, programId: string): Promise<Settings> =>
  settingsOf(programId, await db.taxSettings.findUnique({ where: { programId } }))

/** @throws INVALID_INPUT with every problem */
export async function updateTaxSettings(ctx: ProgramCtx, raw: unknown): Promise<void> {
  const programId = ctx.program.id
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, programId)
    const { programId: _, ...before } = await readTaxSettings(tx, programId)
    const given = await parseInput(updateTaxSettingsInput, raw, ({ payerVatId, payerCountry }) =>
      payerVatId && readVatId(payerVatId, payerCountry ?? before.payerCountry ?? '') === null
        ? [problem('payerVatId', 'is not a VAT id of this country')]
        : [],
    )
    const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const after = { ...before, ...changed }
    if (after.payerVatId) after.payerVatId = readVatId(after.payerVatId, after.payerCountry ?? '') ?? after.payerVatId
    const row = { ...after, updatedAt: now }
    await tx.taxSettings.upsert({ where: { programId }, create: { programId, ...row }, update: row })
    await recordProgramChange(tx, ctx, { taxSettings: before }, { taxSettings: after }, now)
  })
}
