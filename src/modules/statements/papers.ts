import type { AppDb } from '../../kernel/db.ts'
import type { Attachment } from '../../kernel/mail.ts'
import { paperName, pdfOfStatement, withPaper } from './find.ts'

/** A mail about a closed month. */
type Of = { programId: string; affiliateId: string | null; statementMonthId: string | null }

/** The statements of an affiliate of a closed month on paper, one for each currency. None for other mails. */
export async function papersOf(
  db: AppDb,
  publicUrl: string,
  { programId, affiliateId, statementMonthId: monthId }: Of,
): Promise<Attachment[]> {
  if (affiliateId === null || monthId === null) return []
  const where = { programId, monthId, affiliateId }
  const statements = await db.statement.findMany({ where, include: withPaper, orderBy: { currency: 'asc' } })
  const papers: Attachment[] = []
  for (const statement of statements)
    papers.push({
      filename: paperName(statement),
      contentType: 'application/pdf',
      content: await pdfOfStatement(statement, publicUrl),
    })
  return papers
}
