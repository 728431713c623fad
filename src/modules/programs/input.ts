import { z } from 'zod'
import {
  currency,
  described,
  flag,
  kept,
  optional,
  percent,
  reference,
  required,
  slug,
  text,
  url,
  wholeNumber,
} from '../../kernel/input/fields.ts'

const name = described(text(), "The program's name.", { example: 'Acme' })
const address = described(
  url(),
  'Where its links lead unless a campaign says otherwise: an absolute http(s) address.',
  { example: 'https://acme.test' },
)
const defaultCurrency = described(currency(), 'ISO 4217; the currency of sales and campaigns that name none.')

const programSlug = described(slug(), 'Names the program in links. Made of the name unless given.', { example: 'acme' })
const isSandbox = described(
  flag(),
  'A sandbox has a clock of its own that can be advanced, to try in a second what takes months. It stays one.',
  { default: false },
)

export const createProgramInput = z.object({
  name: required(name),
  url: required(address),
  currency: required(defaultCurrency),
  slug: optional(programSlug),
  sandbox: optional(isSandbox),
  commissionPercent: optional(described(percent(), 'What the default campaign pays; 20 percent unless given.')),
})

export const updateProgramInput = z.object({
  name: kept(name),
  url: kept(address),
  currency: kept(defaultCurrency),
  slug: kept(programSlug),
})

export const rotatePublishableKeyInput = z.object({
  programId: optional(
    described(reference(), "The key's own program, or the one that the operator named, unless given."),
  ),
  keepOldForHours: optional(
    described(
      wholeNumber(0, 24 * 90),
      'How long the key before is still taken, so that pages can be changed meanwhile; with 0 it ends at once.',
      { default: 24 },
    ),
  ),
})

export const advanceClockInput = z.object({
  days: required(described(wholeNumber(1, 3_660), 'Whole days that pass at once.', { example: 30 })),
})
