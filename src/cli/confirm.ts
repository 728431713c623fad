import { createInterface } from 'node:readline/promises'
import { OperatorError } from '../database/operator-error.ts'

type Terminal = { input: NodeJS.ReadableStream & { isTTY?: boolean }; output: NodeJS.WritableStream }

/** Asks for the slug of what is to be changed. @throws OperatorError for another text, or without a terminal */
export async function confirmSlug(
  consequence: string,
  slug: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
  otherwise = 'Nothing was deleted.',
): Promise<void> {
  if (!input.isTTY) throw new OperatorError(`${consequence} ${otherwise} To confirm, add --yes.`)
  const prompt = createInterface({ input, output })
  try {
    const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')))
    const typed = await Promise.race([prompt.question(`${consequence}\nType its slug, ${slug}, to confirm: `), ended])
    if (typed.trim() !== slug) throw new OperatorError(`That is not the slug. ${otherwise}`)
  } finally {
    prompt.close()
  }
}
