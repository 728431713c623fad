import { withTransaction } from '../../database/client/transaction.ts'
import type { InvoiceSettings } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import type { Problem } from '../../kernel/errors.ts'
import { parseInput, type Readable, readFields } from '../../kernel/input/parse.ts'
import { recordProgramChange } from '../history/record.ts'
import { lockProgram } from '../programs/lock.ts'
import { invoiceWordInput, updateInvoiceSettingsInput } from './input.ts'
import type { ChosenWord } from './vat/words.ts'

export type Settings = Pick<InvoiceSettings, 'numberPrefix' | 'isVatIncluded'> & { words: readonly ChosenWord[] }

export const settingsOf = (row: InvoiceSettings | null): Settings => ({
  numberPrefix: row?.numberPrefix ?? '',
  isVatIncluded: row?.isVatIncluded ?? false,
  words: (row?.words ?? []) as unknown as ChosenWord[],
})

export const readInvoiceSettings = async (db: Db, programId: string): Promise<Settings> =>
  settingsOf(await db.invoiceSettings.findUnique({ where: { programId } }))

/** @throws INVALID_INPUT with every problem */
export async function updateInvoiceSettings(ctx: ProgramCtx, raw: unknown): Promise<void> {
  const programId = ctx.program.id
  const given = await parseInput(updateInvoiceSettingsInput, raw, wordProblems)
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, programId)
    const before = await readInvoiceSettings(tx, programId)
    const after = {
      numberPrefix: given.numberPrefix === undefined ? before.numberPrefix : (given.numberPrefix ?? ''),
      isVatIncluded: given.isVatIncluded ?? before.isVatIncluded,
      words: given.words === undefined ? [...before.words] : given.words.map(wordOfInput),
    }
    const row = { ...after, updatedAt: now }
    await tx.invoiceSettings.upsert({ where: { programId }, create: { programId, ...row }, update: row })
    await recordProgramChange(tx, ctx, { invoiceSettings: before }, { invoiceSettings: after }, now)
  })
}

const wordOfInput = (raw: unknown) => readFields(invoiceWordInput, raw).readable as ChosenWord

/** Problems with a word are reported under its place: `words.2.text`. */
const wordProblems = ({ words = [] }: Readable<typeof updateInvoiceSettingsInput>): Problem[] =>
  words.flatMap((raw, index) =>
    readFields(invoiceWordInput, raw).problems.map(({ field = '', ...rest }) => ({
      ...rest,
      field: `words.${index}.${field}`,
      path: ['words', String(index), field],
    })),
  )
