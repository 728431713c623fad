import type { z } from 'zod'
import { withTransaction } from '../../database/client/transaction.ts'
import type { JoinSettings } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import type { Problem } from '../../kernel/errors.ts'
import { placedAt, readEntries } from '../../kernel/input/entries.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordProgramChange } from '../history/record.ts'
import { countTermsMails } from '../mails/terms.ts'
import { lockProgram } from '../programs/lock.ts'
import { joinFieldInput, joinRuleInput, publishTermsInput, updateJoinSettingsInput } from './input.ts'
import type { JoinRule } from './rules.ts'

export type JoinField = z.output<typeof joinFieldInput>

export type Joining = Pick<
  JoinSettings,
  'isOpen' | 'text' | 'logoUrl' | 'color' | 'mailsManagers' | 'applicationsPerMinute'
> & {
  programId: string
  origins: string[]
  fields: JoinField[]
  rules: JoinRule[]
}

type Scope = { program: { id: string } }

const defaults = {
  isOpen: true,
  origins: [],
  fields: [],
  rules: [],
  text: null,
  logoUrl: null,
  color: null,
  mailsManagers: true,
  applicationsPerMinute: 30,
}

/** How people apply to the program. Without a change, it is open and asks for the e-mail and the name. */
export async function readJoinSettings(db: Db, { program }: Scope): Promise<Joining> {
  const row = await db.joinSettings.findUnique({ where: { programId: program.id } })
  const { updatedAt: _, ...settings } = row ?? { ...defaults, programId: program.id, updatedAt: null }
  return settings as Joining
}

/** @throws INVALID_INPUT with every problem */
export async function updateJoinSettings(ctx: ProgramCtx, raw: unknown): Promise<Joining> {
  const input = await parseInput(updateJoinSettingsInput, raw)
  const entries = {
    ...(input.fields && { fields: await readAll('fields', joinFieldInput, input.fields) }),
    ...(input.rules && { rules: await readAll('rules', joinRuleInput, input.rules) }),
  }
  const { programId: _, ...before } = await readJoinSettings(ctx.db, ctx)
  const given = { ...input, ...entries }
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const after = { ...before, ...changed } as typeof before
  await parseInput(updateJoinSettingsInput, {}, () => settingsProblems(after))
  const now = ctx.now()
  const row = { ...after, updatedAt: now }
  await withTransaction(ctx.db, async (tx) => {
    await tx.joinSettings.upsert({
      where: { programId: ctx.program.id },
      create: { programId: ctx.program.id, ...row },
      update: row,
    })
    await recordProgramChange(tx, ctx, { joinSettings: before }, { joinSettings: after }, now)
  })
  return readJoinSettings(ctx.db, ctx)
}

async function readAll<S extends z.ZodObject>(
  name: string,
  schema: S,
  raws: readonly unknown[],
): Promise<z.output<S>[]> {
  const read = await readEntries(schema, raws, async (readable) => readable.map(() => []))
  const problems = read.flatMap((entry, index) => entry.problems.map((one) => placedAt([name, index], one)))
  await parseInput(updateJoinSettingsInput, {}, () => problems)
  return read.map(({ input }) => input)
}

function settingsProblems({ fields, rules }: Pick<Joining, 'fields' | 'rules'>): Problem[] {
  const names = fields.map(({ name }) => name)
  return [
    ...(new Set(names).size < names.length ? [problem('fields', 'have a name twice')] : []),
    ...(fields.some(({ type, choices }) => type === 'choice' && !choices)
      ? [problem('fields', 'need choices if their type is CHOICE')]
      : []),
    ...(rules.some(({ field }) => field !== undefined && !names.includes(field))
      ? [problem('rules', 'name a field that the program does not ask for')]
      : []),
  ]
}

export type Terms = { number: number; text: string; holdsFrom: Date; requiredFrom: Date | null; createdAt: Date }

/** The version of the terms that is in force at a time. Null if the program has none. */
export const termsAt = (db: Db, { program }: Scope, at: Date): Promise<Terms | null> =>
  db.termsVersion.findFirst({
    where: { programId: program.id, holdsFrom: { lte: at } },
    orderBy: { number: 'desc' },
  })

export const listTerms = ({ db, program }: Pick<Ctx, 'db'> & Scope): Promise<Terms[]> =>
  db.termsVersion.findMany({ where: { programId: program.id }, orderBy: { number: 'desc' } })

/** Terms that were published, or would be, and how many affiliates get a mail about them. */
export type PublishedTerms = { terms: Terms; recipients: number }

/** Publishes the next version of the terms. A dry run writes nothing. @throws INVALID_INPUT */
export async function publishTerms(ctx: ProgramCtx, raw: unknown): Promise<PublishedTerms> {
  const now = ctx.now()
  const {
    text,
    from = now,
    requiredFrom = null,
    dryRun = false,
  } = await parseInput(publishTermsInput, raw, ({ from: begins = now, requiredFrom: required }) =>
    required && required < begins ? [problem('requiredFrom', 'must not be before the terms begin to hold')] : [],
  )
  return withTransaction(ctx.db, async (tx) => {
    const programId = ctx.program.id
    await lockProgram(tx, programId)
    const last = await tx.termsVersion.findFirst({ where: { programId }, orderBy: { number: 'desc' } })
    const number = (last?.number ?? 0) + 1
    const recipients = await countTermsMails(tx, ctx)
    const terms = { number, text, holdsFrom: from, requiredFrom, createdAt: now }
    if (dryRun) return { terms, recipients }
    await tx.termsVersion.create({ data: { programId, ...terms } })
    await recordProgramChange(tx, ctx, { terms: last?.number ?? null }, { terms: number }, now)
    return { terms, recipients }
  })
}
