import { z } from 'zod'
import { described, email, oneOf, optional, required, text } from '../../kernel/input/fields.ts'

/** What happens to the open money of an affiliate who is erased. */
export const openMoneyWords = ['pay', 'keep', 'give_up'] as const

export const personInput = z.object({
  email: required(described(email(), 'The e-mail address of the customer or the affiliate.')),
})

export const erasePersonInput = z.object({
  ...personInput.shape,
  openMoney: optional(
    described(
      oneOf('OpenMoney', openMoneyWords),
      'What happens to the open money of an affiliate. Required if there is any: the erasure is refused without it.',
    ),
  ),
  reason: optional(
    described(text(1_000), 'Why the money is given up. Required with `GIVE_UP`.', {
      example: 'The affiliate declined it',
    }),
  ),
})
