import type { Program } from '../../generated/prisma/client.ts'
import { type Problem, refused } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'

/** @throws REFUSED if the program is a shadow, which pays nothing */
export function refuseInShadow({ isShadow }: Pick<Program, 'isShadow'>): void {
  if (isShadow)
    throw refused(
      'The program is a shadow of another service, so it pays nothing. Run endShadow when it is to be live.',
    )
}

/** A program becomes live at a moment, with open balances, so a changed field is not enough. */
export const shadowProblems = (before: Program, { isShadow }: { isShadow?: boolean | undefined }): Problem[] => {
  if (isShadow === false && before.isShadow) return [problem('isShadow', 'is ended with endShadow')]
  if (isShadow === true && before.shadowEndedAt !== null)
    return [problem('isShadow', 'was ended before: the balances of the other service are taken over')]
  return []
}
