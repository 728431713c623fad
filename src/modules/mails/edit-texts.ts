import type { z } from 'zod'
import { withTransaction } from '../../database/client/transaction.ts'
import type { MailText } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import type { Problem } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { type Language, languages } from '../../kernel/languages.ts'
import type { Written, WrittenKind } from '../../texts/en/mails.ts'
import { mailTexts } from '../../texts/texts.ts'
import { recordProgramChange } from '../history/record.ts'
import { mailTextsInput, resetMailTextInput, updateMailKindInput, updateMailTextInput } from './input.ts'
import { kinds } from './kinds/all.ts'
import { variablesOf, writtenKinds } from './variables.ts'

/** A text of a kind of mail in a language: the program's own, or ours. */
export type EditableText = Written & {
  kind: WrittenKind
  language: Language
  isEdited: boolean
  isOn: boolean
  canBeOff: boolean
  variables: string[]
}

const placeholder = /\{\{([^{}]*)\}\}/g

/** Unknown variables, braces without a partner, and a link that is missing. Line breaks in a subject become spaces. */
export function textProblems(kind: WrittenKind, given: Partial<Written>): Problem[] {
  const lacksLink = given.text !== undefined && kinds[kind].needsLink && !/\{\{\s*link\s*\}\}/.test(given.text)
  return [
    ...variableProblems(variablesOf(kind), given),
    ...(lacksLink ? [problem('text', 'must contain {{link}}: the mail is of no use without it')] : []),
  ]
}

/** Variables that are not known, and braces without a partner. */
export function variableProblems(
  known: readonly string[],
  given: Partial<Pick<Written, 'subject' | 'text'>>,
): Problem[] {
  const list = known.map((name) => `{{${name}}}`).join(', ')
  const problemsOf = (field: 'subject' | 'text', value: string) => {
    const used = [...value.matchAll(placeholder)].map(([, name = '']) => name.trim())
    const unknown = [...new Set(used.filter((name) => !known.includes(name)))]
    if (unknown.length > 0)
      return [problem(field, `has an unknown variable: {{${unknown.join('}}, {{')}}}. Known are ${list}`)]
    return /\{\{|\}\}/.test(value.replace(placeholder, ''))
      ? [problem(field, `has {{ or }} without a partner. Variables are written as ${list}`)]
      : []
  }
  const { subject, text } = given
  return [
    ...(subject === undefined ? [] : problemsOf('subject', subject)),
    ...(text === undefined ? [] : problemsOf('text', text)),
  ]
}

type Scope = Pick<ProgramCtx, 'program'> & { db: Db }

/** All texts of the program, by kind and language. @throws INVALID_INPUT */
export async function listMailTexts({ db, program }: Scope, raw: unknown): Promise<EditableText[]> {
  const { language } = await parseInput(mailTextsInput, raw)
  const where = { programId: program.id }
  const edited = await db.mailText.findMany({ where })
  const off = new Set((await db.mailKindOff.findMany({ where })).map(({ kind }) => kind))
  return writtenKinds.flatMap((kind) =>
    languages
      .filter((one) => language === undefined || one === language)
      .map((one) => editable(kind, one, textIn(edited, kind, one), !off.has(kind))),
  )
}

const textIn = (rows: readonly MailText[], kind: WrittenKind, language: Language) =>
  rows.find((row) => row.kind === kind && row.language === language)

function editable(kind: WrittenKind, language: Language, row: Written | null | undefined, isOn: boolean): EditableText {
  const { subject, text, button } = row ?? mailTexts[language].mails[kind]
  const variables = variablesOf(kind)
  return {
    kind,
    language,
    subject,
    text,
    button,
    isOn,
    variables,
    isEdited: row !== null && row !== undefined,
    canBeOff: !kinds[kind].isAlwaysSent,
  }
}

/** The text that is sent: the program's own, else ours. */
export async function readMailText({ db, program }: Scope, kind: WrittenKind, language: Language) {
  const programId = program.id
  const row = await db.mailText.findUnique({ where: { programId_kind_language: { programId, kind, language } } })
  const off = await db.mailKindOff.findUnique({ where: { programId_kind: { programId, kind } } })
  return editable(kind, language, row, off === null)
}

/** Changes a text, as far as it is given. @throws INVALID_INPUT, also for an unknown variable */
export async function updateMailText(ctx: ProgramCtx, raw: unknown): Promise<EditableText> {
  const input = await parseInput(updateMailTextInput, raw, checkText)
  const { kind, language } = input
  const before = await readMailText(ctx, kind, language)
  const { subject = before.subject, text = before.text, button = before.button } = input
  const now = ctx.now()
  const key = { programId: ctx.program.id, kind, language }
  const row = { subject, text, button, updatedAt: now }
  await withTransaction(ctx.db, async (tx) => {
    const where = { programId_kind_language: key }
    await tx.mailText.upsert({ where, create: { ...key, ...row }, update: row })
    const after = { kind, language, subject, text, button }
    await recordProgramChange(tx, ctx, { mailText: stateOf(before) }, { mailText: after }, now)
  })
  return readMailText(ctx, kind, language)
}

export const checkText = (input: Partial<z.output<typeof updateMailTextInput>>): Problem[] =>
  input.kind === undefined ? [] : textProblems(input.kind, input)

/** Goes back to our text. Idempotent. @throws INVALID_INPUT */
export async function resetMailText(ctx: ProgramCtx, raw: unknown): Promise<EditableText> {
  const { kind, language } = await parseInput(resetMailTextInput, raw)
  const before = await readMailText(ctx, kind, language)
  if (before.isEdited) {
    const now = ctx.now()
    await withTransaction(ctx.db, async (tx) => {
      await tx.mailText.deleteMany({ where: { programId: ctx.program.id, kind, language } })
      const { subject, text, button } = mailTexts[language].mails[kind]
      const after = { kind, language, subject, text, button }
      await recordProgramChange(tx, ctx, { mailText: stateOf(before) }, { mailText: after }, now)
    })
  }
  return readMailText(ctx, kind, language)
}

/** Turns a kind of mail on or off. @throws INVALID_INPUT for a kind that is always sent */
export async function updateMailKind(ctx: ProgramCtx, raw: unknown): Promise<EditableText[]> {
  const { kind, isOn } = await parseInput(updateMailKindInput, raw, (input) =>
    input.isOn === false && input.kind !== undefined && kinds[input.kind].isAlwaysSent
      ? [problem('kind', `cannot be turned off: people need the mail ${input.kind.toUpperCase()}`)]
      : [],
  )
  const programId = ctx.program.id
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    const wasOff = (await tx.mailKindOff.count({ where: { programId, kind } })) > 0
    if (wasOff === !isOn) return
    if (isOn) await tx.mailKindOff.deleteMany({ where: { programId, kind } })
    else await tx.mailKindOff.createMany({ data: [{ programId, kind, createdAt: now }], skipDuplicates: true })
    await recordProgramChange(tx, ctx, { mailKind: { kind, isOn: !wasOff } }, { mailKind: { kind, isOn } }, now)
  })
  return (await listMailTexts(ctx, {})).filter((one) => one.kind === kind)
}

const stateOf = ({ kind, language, subject, text, button }: EditableText) => ({ kind, language, subject, text, button })
