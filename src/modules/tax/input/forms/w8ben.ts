import type { Form } from './field.ts'
import { authorized, examined, relatedIncome, treatyFields } from './treaty.ts'

export const w8ben: Form = {
  title:
    'Form W-8BEN, Certificate of Foreign Status of Beneficial Owner for United States Tax Withholding and Reporting (Individuals)',
  revision: 'October 2021',
  source: 'https://www.irs.gov/pub/irs-pdf/fw8ben.pdf',
  fields: {
    citizenship: { line: '2', label: 'Country of citizenship', kind: 'country', isRequired: true },
    mailingAddress: {
      line: '4',
      label: 'Mailing address (if different from the permanent residence address)',
      kind: 'text',
      length: 1000,
    },
    hasNoForeignTaxId: { line: '6b', label: 'FTIN not legally required', kind: 'flag' },
    referenceNumbers: { line: '7', label: 'Reference number(s)', kind: 'text' },
    birthDate: { line: '8', label: 'Date of birth', kind: 'date', isRequired: true },
    ...treatyFields('9', '10'),
    capacity: {
      line: 'Part III',
      label: 'Capacity in which acting (if form is not signed by beneficial owner)',
      kind: 'text',
    },
  },
  certification: [
    examined,
    '• I am the individual that is the beneficial owner (or am authorized to sign for the individual that is the beneficial owner) of all the income or proceeds to which this form relates or am using this form to document myself for chapter 4 purposes;',
    '• The person named on line 1 of this form is not a U.S. person;',
    `• ${relatedIncome}`,
    '• The person named on line 1 of this form is a resident of the treaty country listed on line 9 of the form (if any) within the meaning of the income tax treaty between the United States and that country; and',
    '• For broker transactions or barter exchanges, the beneficial owner is an exempt foreign person as defined in the instructions.',
    authorized('I am'),
    'I agree that I will submit a new form within 30 days if any certification made on this form becomes incorrect.',
  ].join('\n'),
  expires: true,
}
