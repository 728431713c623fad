import { defineMethod } from '../method.ts'
import { noName, otherCurrency, payeeNameOf } from '../payee.ts'
import { bankProblems } from './bank-account.ts'
import { isBankMessage, readBankMessage } from './bank-report.ts'
import { fileEnd, fileStart, transfers } from './transfers.ts'

/** The largest amount of a transfer, in cents. Source: European Payments Council, EPC132-08. */
const largestTransfer = 99_999_999_999n

export const sepa = defineMethod({
  description: 'With a SEPA credit transfer file (pain.001.001.09), to a bank account in euro.',
  file: {
    name: 'sepa.xml',
    maxRows: Number.POSITIVE_INFINITY,
    isCsv: false,
    countsCommissions: false,
    start: fileStart,
    rows: transfers,
    end: fileEnd,
  },
  report: {
    readMessage: (client, file) => (isBankMessage(file) ? readBankMessage(client, file) : null),
  },
  reasons: {
    unsupported_currency: otherCurrency,
    too_large: 'The amount is above 999,999,999.99 euro, the most that a SEPA transfer can be.',
    no_iban: 'The affiliate has no bank account.',
    no_name: noName,
  },
  skipReason({ amountCents, currency, affiliate }) {
    if (currency !== 'eur') return 'unsupported_currency'
    if (amountCents > largestTransfer) return 'too_large'
    if (!affiliate.iban) return 'no_iban'
    return payeeNameOf(affiliate) ? null : 'no_name'
  },
  fieldProblems: (fields) => [
    ...bankProblems(fields, 'iban', 'bic'),
    ...bankProblems(fields, 'debtorIban', 'debtorBic'),
  ],
  refusal: ({ debtorIban }) =>
    debtorIban
      ? null
      : 'The program has no account to pay from. Set its IBAN first: `debtorIban` of updateProgram, or in the settings of the dashboard.',
  checksName: true,
})
