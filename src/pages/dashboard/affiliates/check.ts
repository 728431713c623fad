import type { AffiliateState } from '../../../generated/dashboard/affiliates/graphql.ts'
import { checkInput } from '../form/check-input.ts'
import type { Check } from '../form/use-fields.ts'
import type { AffiliateFields } from './affiliate-fields.tsx'

/** The schema has states in lower case, as REST does. */
export const checkAffiliate =
  (schema: Parameters<typeof checkInput>[0]): Check<AffiliateFields> =>
  (values) =>
    checkInput<AffiliateFields>(schema)({ ...values, state: values.state.toLowerCase() as AffiliateState })
