import type { Form } from './field.ts'
import { authorized, examined, relatedIncome, treatyFields } from './treaty.ts'

export const w8benE: Form = {
  title:
    'Form W-8BEN-E, Certificate of Status of Beneficial Owner for United States Tax Withholding and Reporting (Entities)',
  revision: 'October 2021',
  source: 'https://www.irs.gov/pub/irs-pdf/fw8bene.pdf',
  fields: {
    incorporationCountry: {
      line: '2',
      label: 'Country of incorporation or organization',
      kind: 'country',
      isRequired: true,
    },
    disregardedEntity: {
      line: '3',
      label: 'Name of disregarded entity receiving the payment (if applicable)',
      kind: 'text',
    },
    chapter3Status: {
      line: '4',
      label: 'Chapter 3 Status (entity type)',
      kind: 'choice',
      isRequired: true,
      options: {
        corporation: 'Corporation',
        partnership: 'Partnership',
        simple_trust: 'Simple trust',
        complex_trust: 'Complex trust',
        grantor_trust: 'Grantor trust',
        estate: 'Estate',
        disregarded_entity: 'Disregarded entity',
        private_foundation: 'Private foundation',
        tax_exempt_organization: 'Tax-exempt organization',
      },
    },
    // The other statuses need further parts of the form. Payees with one send it on paper.
    chapter4Status: {
      line: '5',
      label: 'Chapter 4 Status (FATCA status)',
      kind: 'choice',
      isRequired: true,
      options: {
        active_nffe: 'Active NFFE',
        passive_nffe_without_us_owners: 'Passive NFFE, without any substantial U.S. owners',
        publicly_traded_nffe: 'Publicly traded NFFE or NFFE affiliate of a publicly traded corporation',
        nonprofit: 'Nonprofit organization',
      },
    },
    mailingAddress: {
      line: '7',
      label: 'Mailing address (if different from the permanent residence address)',
      kind: 'text',
      length: 1000,
    },
    giin: { line: '9a', label: 'GIIN', kind: 'text', length: 19 },
    hasNoForeignTaxId: { line: '9c', label: 'FTIN not legally required', kind: 'flag' },
    referenceNumbers: { line: '10', label: 'Reference number(s)', kind: 'text' },
    ...treatyFields('14a', '15'),
    limitationOnBenefits: { line: '14b', label: 'Type of limitation on benefits provision', kind: 'text' },
  },
  certification: [
    examined,
    '• The entity identified on line 1 of this form is the beneficial owner of all the income or proceeds to which this form relates, is using this form to certify its status for chapter 4 purposes, or is submitting this form for purposes of section 6050W or 6050Y;',
    '• The entity identified on line 1 of this form is not a U.S. person;',
    `• ${relatedIncome}`,
    '• The entity has the chapter 4 status of line 5, and meets the certifications of the part of the form for it; and',
    '• For broker transactions or barter exchanges, the beneficial owner is an exempt foreign person.',
    authorized('the entity on line 1 is'),
    'I agree that I will submit a new form within 30 days if any certification on this form becomes incorrect.',
    'I certify that I have the capacity to sign for the entity identified on line 1 of this form.',
  ].join('\n'),
  expires: true,
}
