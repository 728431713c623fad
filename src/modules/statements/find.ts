import type { Prisma, Statement } from '../../generated/prisma/client.ts'
import type { Json } from '../../kernel/canonical-json.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { findById } from '../../kernel/lookup.ts'
import { mailLanguage, mailLocale } from '../mails/compose.ts'
import { fileOf } from './document.ts'
import type { Printed as OnPaper } from './pdf/statement.ts'

/** @throws NOT_FOUND */
export async function findStatement(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.StatementDefaultArgs = {},
): Promise<Statement> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Statement', id, () => ctx.db.statement.findUnique({ where, ...query }))
}

/** A statement with what its file needs. @throws NOT_FOUND */
export async function findSealed(ctx: ProgramCtx, id: string) {
  return (await findStatement(ctx, id, { include: withSeal })) as Statement & { of: { seal: string | null } }
}

type Printed = OnPaper & Prisma.StatementGetPayload<{ select: typeof withPaper }>

/** What a statement needs for its paper. */
export const withPaper = {
  program: { select: { name: true, isSandbox: true, locale: true } },
  affiliate: { select: { language: true } },
} as const

/** A statement with what its paper needs. @throws NOT_FOUND */
export async function findPrinted(ctx: ProgramCtx, id: string) {
  return (await findStatement(ctx, id, { include: withPaper })) as Statement & Printed
}

/**
 * The statement on paper, in the language of the affiliate. The library and the fonts are loaded with the first one.
 * @param publicUrl of the service, whose page verifies it
 */
export async function pdfOfStatement({ program, affiliate, ...statement }: Printed, publicUrl: string) {
  const { statementPdf } = await import('./pdf/statement.ts')
  const language = mailLanguage(program, affiliate.language)
  return statementPdf(statement, {
    programName: program.name,
    sandbox: program.isSandbox,
    verifyUrl: `${publicUrl}/verify`,
    language,
    locale: mailLocale(program, language),
  })
}

/** How the paper of a statement is called. */
export const paperName = ({ month, currency }: Pick<Statement, 'month' | 'currency'>): string =>
  `statement-${month}-${currency}.pdf`

/** What a statement needs for its file. */
export const withSeal = { of: { select: { seal: true } } } as const

/** @throws REFUSED while the month is being closed */
export function sealedFile(statement: Parameters<typeof fileOf>[0]): Record<string, Json> {
  if (statement.of.seal === null) throw refused('The month is being closed. Try again in a minute.')
  return fileOf(statement)
}
