import type { Form } from './field.ts'

export const w9: Form = {
  title: 'Form W-9, Request for Taxpayer Identification Number and Certification',
  revision: 'March 2024',
  source: 'https://www.irs.gov/pub/irs-pdf/fw9.pdf',
  fields: {
    businessName: { line: '2', label: 'Business name/disregarded entity name, if different from above', kind: 'text' },
    classification: {
      line: '3a',
      label: 'Federal tax classification',
      kind: 'choice',
      isRequired: true,
      options: {
        individual: 'Individual/sole proprietor',
        c_corporation: 'C corporation',
        s_corporation: 'S corporation',
        partnership: 'Partnership',
        trust_or_estate: 'Trust/estate',
        llc_c: 'LLC, taxed as a C corporation',
        llc_s: 'LLC, taxed as an S corporation',
        llc_p: 'LLC, taxed as a partnership',
        other: 'Other',
      },
    },
    otherClassification: { line: '3a', label: 'Other (see instructions)', kind: 'text' },
    hasForeignPartners: {
      line: '3b',
      label: 'Foreign partners, owners, or beneficiaries',
      kind: 'flag',
    },
    exemptPayeeCode: { line: '4', label: 'Exempt payee code (if any)', kind: 'text', length: 2 },
    fatcaCode: {
      line: '4',
      label: 'Exemption from Foreign Account Tax Compliance Act (FATCA) reporting code (if any)',
      kind: 'text',
      length: 1,
    },
    tinType: {
      line: 'Part I',
      label: 'Taxpayer Identification Number (TIN)',
      kind: 'choice',
      isRequired: true,
      options: { ssn: 'Social security number', ein: 'Employer identification number' },
    },
    isBackupWithheld: {
      line: 'Part II, item 2',
      label: 'Item 2 is crossed out: I am currently subject to backup withholding',
      kind: 'flag',
    },
  },
  certification: [
    'Under penalties of perjury, I certify that:',
    '1. The number shown on this form is my correct taxpayer identification number (or I am waiting for a number to be issued to me); and',
    '2. I am not subject to backup withholding because (a) I am exempt from backup withholding, or (b) I have not been notified by the Internal Revenue Service (IRS) that I am subject to backup withholding as a result of a failure to report all interest or dividends, or (c) the IRS has notified me that I am no longer subject to backup withholding; and',
    '3. I am a U.S. citizen or other U.S. person; and',
    '4. The FATCA code(s) entered on this form (if any) indicating that I am exempt from FATCA reporting is correct.',
  ].join('\n'),
  expires: false,
}
