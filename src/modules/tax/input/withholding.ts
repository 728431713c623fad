import { z } from 'zod'
import { clearable, described, reference, required } from '../../../kernel/input/fields.ts'
import { basisPoints } from './settings.ts'

export const setAffiliateWithholdingInput = z.object({
  affiliateId: required(described(reference(), 'The affiliate.')),
  basisPoints: clearable(
    described(
      basisPoints(),
      'How much of each payout of the affiliate is withheld as tax, in hundredths of a percent: 1500 is 15 %, and 0 is nothing, such as by a treaty. Null: as the tax settings of the program say.',
    ),
  ),
})
