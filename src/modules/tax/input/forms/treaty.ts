import type { FormField } from './field.ts'

/** The income that forms of foreign payees relate to. */
export const relatedIncome =
  'This form relates to: (a) income not effectively connected with the conduct of a trade or business in the United States; (b) income effectively connected with the conduct of a trade or business in the United States but is not subject to tax under an applicable income tax treaty; (c) the partner’s share of a partnership’s effectively connected taxable income; or (d) the partner’s amount realized from the transfer of a partnership interest subject to withholding under section 1446(f).'

export const examined =
  'Under penalties of perjury, I declare that I have examined the information on this form and to the best of my knowledge and belief it is true, correct, and complete. I further certify under penalties of perjury that:'

/** @param whose beneficial owner: "I am" */
export const authorized = (whose: string) =>
  `Furthermore, I authorize this form to be provided to any withholding agent that has control, receipt, or custody of the income of which ${whose} the beneficial owner or any withholding agent that can disburse or make payments of the income of which ${whose} the beneficial owner.`

/** The claim of tax treaty benefits, with the numbers of its lines. */
export const treatyFields = (country: string, rates: string) =>
  ({
    treatyCountry: {
      line: country,
      label: 'Resident of (country), within the meaning of the income tax treaty',
      kind: 'country',
    },
    treatyArticle: { line: rates, label: 'Article and paragraph of the treaty', kind: 'text' },
    treatyPercent: { line: rates, label: 'Rate of withholding claimed, %', kind: 'percent' },
    treatyIncome: { line: rates, label: 'Type of income', kind: 'text' },
    treatyConditions: {
      line: rates,
      label: 'Additional conditions in the Article and paragraph that the beneficial owner meets',
      kind: 'text',
      length: 1000,
    },
  }) as const satisfies Record<string, FormField>
