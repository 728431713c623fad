import { withTransaction } from '../../../database/client/transaction.ts'
import type { ExchangeRate, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { localOf } from '../../../kernel/time-zone.ts'
import { recordProgramChange } from '../../history/record.ts'
import { billionthsOf, decimalOf, type Rate } from './convert.ts'
import { dayOfText } from './day.ts'
import { readEcbFile } from './ecb-file.ts'
import { importExchangeRatesInput, setExchangeRateInput } from './input.ts'

/** Enters the rate of a day, for display only. The same pair and day again replaces it. @throws INVALID_INPUT */
export async function setExchangeRate(ctx: ProgramCtx, raw: unknown): Promise<ExchangeRate> {
  const input = await parseInput(setExchangeRateInput, raw, ({ base, currency, day, rate }) => [
    ...(base !== undefined && base === currency ? [problem('currency', 'must be another currency than the base')] : []),
    ...(day !== undefined && dayOfText(day) !== day ? [problem('day', 'must be a day, such as 2026-11-27')] : []),
    ...(rate !== undefined && billionthsOf(rate) === null
      ? [problem('rate', 'must be a number above 0 with at most nine decimals, such as 1.0843')]
      : []),
  ])
  const { base, currency, day } = input
  const rateBillionths = billionthsOf(input.rate) as bigint
  const rate: Rate = { base, currency, day, source: 'entered', rateBillionths }
  const where = { programId_base_currency_day: { programId: ctx.program.id, base, currency, day } }
  return withTransaction(ctx.db, async (tx) => {
    await writeRates(tx, ctx, [rate])
    const written = {
      ...rate,
      rateBillionths: undefined,
      rate: decimalOf({ numerator: rateBillionths, denominator: 10n ** 9n }),
    }
    await recordProgramChange(tx, ctx, { exchangeRates: null }, { exchangeRates: written }, ctx.now())
    return tx.exchangeRate.findUniqueOrThrow({ where })
  })
}

/**
 * Imports a file of the European Central Bank, as a whole or not at all.
 * @returns how many rates of how many days
 * @throws INVALID_INPUT with the line of each problem
 */
export async function importExchangeRates(ctx: ProgramCtx, raw: unknown): Promise<{ rates: number; days: number }> {
  const { csv } = await parseInput(importExchangeRatesInput, raw)
  const rates = await readEcbFile(ctx, csv)
  const days = [...new Set(rates.map(({ day }) => day))].sort()
  await withTransaction(ctx.db, async (tx) => {
    await writeRates(tx, ctx, rates)
    const imported = { source: 'ecb', from: days[0], to: days.at(-1), rates: rates.length }
    await recordProgramChange(tx, ctx, { exchangeRates: null }, { exchangeRates: imported }, ctx.now())
  })
  return { rates: rates.length, days: days.length }
}

async function writeRates(tx: Prisma.TransactionClient, { program, now }: ProgramCtx, rates: readonly Rate[]) {
  await tx.$executeRaw`
    insert into exchange_rates (program_id, base, currency, day, source, rate_billionths, created_at)
    select ${program.id}::uuid, base, currency, day, source::rate_source, rate, ${now()}
    from jsonb_to_recordset(${JSON.stringify(rates.map(({ rateBillionths, ...rest }) => ({ ...rest, rate: String(rateBillionths) })))}::jsonb)
      as r(base text, currency text, day text, source text, rate bigint)
    on conflict (program_id, base, currency, day) do update
      set source = excluded.source, rate_billionths = excluded.rate_billionths, created_at = excluded.created_at`
}

/** The newest rate of each pair until today, in the program's time zone. */
export function readRates({ db, program, now }: ProgramCtx): Promise<ExchangeRate[]> {
  const today = new Date(localOf(now().getTime(), program.timeZone)).toISOString().slice(0, 10)
  return db.$queryRaw<ExchangeRate[]>`
    select distinct on (base, currency) program_id as "programId", base, currency, day, source,
      rate_billionths as "rateBillionths", created_at as "createdAt"
    from exchange_rates where program_id = ${program.id}::uuid and day <= ${today} order by base, currency, day desc`
}
