import { z } from 'zod'
import { described, optional, required, text, wholeNumber } from '../../kernel/input/fields.ts'

export const defaultHits = 5

export const searchInput = z.object({
  text: required(
    described(
      text(),
      'What to look for. Affiliates and customers are found by parts of their name and e-mail; each word has to be contained. Campaigns are found by a part of their name; sales by the beginning of `externalId`; coupons by the beginning of their code; payouts by the beginning of `reference`. Sales without an affiliate are found by parts of `externalId`, and like customers; events of feeds by the ids that they mention. An id finds its record.',
    ),
  ),
  first: optional(described(wholeNumber(1, 20), `The most records of each kind. Default: ${defaultHits}.`)),
})
