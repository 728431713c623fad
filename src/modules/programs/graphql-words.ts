import { z } from 'zod'
import type { GraphQLContext } from '../../graphql/context.ts'
import { programScope } from '../../graphql/context.ts'
import { described, optional } from '../../kernel/input/fields.ts'
import { language } from '../../kernel/input/language.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { defaultLanguage, firstLanguage, type Language, localeIn } from '../../kernel/languages.ts'
import { type Writer, writerFor } from '../../texts/writer.ts'

export const languageInput = z.object({
  language: optional(
    described(
      language(),
      'The language of the sentences, such as `de`. Default: with an affiliate token the language of the affiliate, else English.',
    ),
  ),
})

/** The language in which sentences are asked for, and how values are written in it. */
export async function wordsFor(ctx: GraphQLContext, raw: unknown): Promise<{ language: Language; writer: Writer }> {
  const { program } = programScope(ctx)
  const asked = await parseInput(languageInput, raw)
  const chosen = asked.language ?? (await languageOfCaller(ctx))
  return { language: chosen, writer: writerFor(localeIn(chosen, [program.locale]), program.timeZone) }
}

async function languageOfCaller(ctx: GraphQLContext): Promise<Language> {
  const { actor, db } = ctx
  if (actor.kind !== 'affiliate') return defaultLanguage
  const { program } = programScope(ctx)
  const where = { programId_id: { programId: program.id, id: actor.affiliateId } }
  const own = await db.affiliate.findUnique({ where, select: { language: true } })
  return firstLanguage([own?.language ?? '', program.locale]) ?? defaultLanguage
}
