import type { Affiliate, Payout } from '../../generated/prisma/client.ts'
import type { AddressFieldName } from './address.ts'

/** What methods need to know of the affiliate who is paid. */
export type Payee = Pick<
  Affiliate,
  | 'email'
  | 'firstName'
  | 'lastName'
  | AddressFieldName
  | 'recipientType'
  | 'preferredPayoutMethod'
  | 'payoutsHeldUntil'
  | 'company'
  | 'state'
>

/** What is read of a payout that is to be paid. */
export type PaidPayout = Pick<
  Payout,
  'programId' | 'id' | 'affiliateId' | 'currency' | 'amountCents' | 'paidAt' | 'failedAt' | 'reference' | 'createdAt'
> & { affiliate: Payee }

/** A payout in a file. The number of commissions is 0 in files that do not have it. */
export type FilePayout = PaidPayout & { _count: { commissions: number } }

export const inOneLine = (text: string) => text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ').trim()

/** The name in one line. */
export const nameOf = ({ firstName, lastName }: Pick<Affiliate, 'firstName' | 'lastName'>) =>
  inOneLine([firstName, lastName].filter(Boolean).join(' '))

/** The name that a service pays: a business is paid under its company's name, if it is known. */
export const payeeNameOf = (payee: Pick<Affiliate, 'firstName' | 'lastName' | 'recipientType' | 'company'>) =>
  (payee.recipientType === 'business' && inOneLine(payee.company ?? '')) || nameOf(payee)

/** The id of a payout without dashes, which reports of services repeat. */
export const digitsOf = ({ id }: Pick<Payout, 'id'>) => id.replaceAll('-', '')

// Reasons to skip a payout that several methods have.

export const noWallet = 'The affiliate has no e-mail for this wallet.'
export const noName = 'The affiliate has no name, which this service requires.'
export const unsafeEmail =
  'The e-mail starts with a character that spreadsheets read as the start of a formula, so they would change it.'
export const otherCurrency = 'The service does not pay this currency.'
