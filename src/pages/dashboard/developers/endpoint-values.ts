import type { z } from 'zod'
import type { PersonFragment } from '../../../generated/dashboard/picker/graphql.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { checkInput } from '../form/check-input.ts'
import type { Check } from '../form/use-fields.ts'
import { writeCondition } from './condition.ts'

export type EndpointFields = {
  url: string
  description: string
  eventTypes: string[]
  campaignId: string
  affiliate: PersonFragment | null
  /** An amount as people type it, or empty. */
  least: string
  currency: string
  /** Whether the condition stays as it is, because the form cannot show it. */
  keepsCondition: 'yes' | 'no'
}

/** Of a new endpoint. */
export const emptyFields = (currency: string): EndpointFields => ({
  url: '',
  description: '',
  eventTypes: [],
  campaignId: '',
  affiliate: null,
  least: '',
  currency: currency.toUpperCase(),
  keepsCondition: 'no',
})

/** The values as the service takes them. */
export function inputOf<Values extends EndpointFields>(values: Values) {
  const { campaignId, affiliate, least, currency: code, keepsCondition, ...rest } = values
  const currency = code.toLowerCase()
  const amount = least.trim() === '' ? {} : { leastCents: Number(centsOf(least, currency)), currency }
  const where = writeCondition({ campaignId, ...(affiliate && { affiliateId: affiliate.id }), ...amount })
  return { ...rest, ...(keepsCondition === 'no' && { where }) }
}

/** Checks the values of a form with the schema that the service checks them with. */
export const checkEndpoint =
  <Values extends EndpointFields>(schema: z.ZodObject): Check<Values> =>
  (values) => {
    const problem = values.least.trim() === '' ? undefined : amountProblem(values.least, values.currency.toLowerCase())
    return { ...checkInput<object>(schema)(inputOf(values)), ...(problem && { least: problem }) } as ReturnType<
      Check<Values>
    >
  }
