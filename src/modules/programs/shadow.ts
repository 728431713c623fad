import type { Program } from '../../generated/prisma/client.ts'
import { type Problem, refused } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'

/** @throws REFUSED if the program is a shadow, which pays nothing */
export function refuseInShadow({ shadow }: Pick<Program, 'shadow'>): void {
  if (shadow)
    throw refused(
      'The program is a shadow of another service, so it pays nothing. Run endShadow when it is to be live.',
    )
}

/** A program becomes live at a moment, with open balances, so a changed field is not enough. */
export const shadowProblems = (before: Program, { shadow }: { shadow?: boolean | undefined }): Problem[] => {
  if (shadow === false && before.shadow) return [problem('shadow', 'is ended with endShadow')]
  if (shadow === true && before.shadowEndedAt !== null)
    return [problem('shadow', 'was ended before: the balances of the other service are taken over')]
  return []
}
