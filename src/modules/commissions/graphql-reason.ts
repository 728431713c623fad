import type { Commission } from '../../generated/prisma/client.ts'
import type { GraphQLContext } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { whyTexts } from '../../texts/texts.ts'
import { sayWhy } from '../../texts/why.ts'
import { languageInput, wordsFor } from '../programs/graphql-words.ts'

export const reasonOptions = {
  args: argsOf(languageInput),
  description:
    'Why it was given. Null for a commission that was earned. With an affiliate token, the reason of a correction by rules is in `language`, without the name of the rule.',
}

/** Why a commission was given. The stored reason of a correction by rules is in English, and names the rule. */
export async function reasonFor(
  { reason, ruleId, correctsSaleId }: Pick<Commission, 'reason' | 'ruleId' | 'correctsSaleId'>,
  args: unknown,
  ctx: GraphQLContext,
): Promise<string | null> {
  const by = correctsSaleId ? 'rules' : ruleId ? 'tiers' : null
  if (reason === null || by === null || ctx.actor.kind !== 'affiliate') return reason
  const { language, writer } = await wordsFor(ctx, args)
  return sayWhy({ code: 'corrected', by }, whyTexts[language], writer)
}
