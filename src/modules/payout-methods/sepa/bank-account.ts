import { isValidBIC, isValidIBAN } from 'ibantools'
import type { Problem } from '../../../kernel/errors.ts'
import { problem } from '../../../kernel/input/parse.ts'

/** Checks the check digits and the form of the country. */
export const bankProblems = (fields: Readonly<Record<string, unknown>>, iban: string, bic: string): Problem[] => [
  ...(typeof fields[iban] === 'string' && !isValidIBAN(fields[iban])
    ? [problem(iban, 'is not a valid IBAN', 'not_an_iban')]
    : []),
  ...(typeof fields[bic] === 'string' && !isValidBIC(fields[bic])
    ? [problem(bic, 'is not a valid BIC', 'not_a_bic')]
    : []),
]
