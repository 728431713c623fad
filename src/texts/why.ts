import { type WhyLine, type WhyTexts, why } from './en/why.ts'
import { whyOfStaff } from './en/why-of-staff.ts'
import { type LineOf, plainWriter, say, type Writer } from './writer.ts'

/** A sentence of why, also of those that affiliates do not see. */
export type AnyWhyLine = WhyLine | LineOf<typeof whyOfStaff>

/** Says why in a language. What only staff sees is in English. */
export const sayWhy = (line: AnyWhyLine, texts: WhyTexts, writer: Writer): string =>
  say({ ...texts, ...whyOfStaff }, line, writer)

/** Says why as the API has promised it: in English, with values as the API writes them. */
export const plainWhy = (line: AnyWhyLine): string => sayWhy(line, why, plainWriter)
