import type { Address } from '../address.ts'

export const sepaAddress: Address = {
  service: 'SEPA',
  paid: 'iban',
  isEmail: false,
  fields: {
    iban: {
      description: 'The bank account that SEPA transfers pay, as an IBAN without blanks.',
      input: 'The bank account that SEPA transfers pay, as an IBAN.',
      ownInput: 'The bank account for SEPA transfers, as an IBAN.',
      columns: [],
    },
    bic: {
      description: "The BIC of the affiliate's bank.",
      input: "The BIC of the affiliate's bank. Banks in the SEPA find it from the IBAN.",
      ownInput: 'The BIC of the bank.',
      columns: [],
    },
  },
}

/** The account that transfers are paid from: fields of the program. */
export const sepaPayer = {
  debtorName: {
    description: 'The holder of the account that SEPA transfers are paid from. Null: the name of the program is used.',
    input: 'The holder of the account that SEPA transfers are paid from.',
  },
  debtorIban: {
    description: 'The account that SEPA transfers are paid from. Null if not set: there are no SEPA runs then.',
    input: 'The account that SEPA transfers are paid from, as an IBAN.',
  },
  debtorBic: {
    description: 'The BIC of the bank. Null if not set.',
    input: 'The BIC of the bank of that account.',
  },
} as const
