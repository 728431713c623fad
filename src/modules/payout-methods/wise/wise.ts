import type { Payout } from '../../../generated/prisma/client.ts'
import { amountOf, csvFile, currencyOf, isUnsafe } from '../csv.ts'
import { defineMethod } from '../method.ts'
import { digitsOf, noName, noWallet, payeeNameOf, unsafeEmail } from '../payee.ts'

/**
 * The reference of a payment by Wise: ten characters, because some banks cut longer ones. They are letters, because a
 * spreadsheet reads 0628188887 and 859e858796 as numbers.
 */
export const wiseReference = (payout: Pick<Payout, 'id'>) =>
  earlierReference(payout).replace(/[0-9a-f]/g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))

/** How files named payments until references were letters. */
const earlierReference = (payout: Pick<Payout, 'id'>) => digitsOf(payout).slice(-10)

export const wise = defineMethod({
  description: "With Wise's batch file, to the affiliate's e-mail at Wise.",
  /**
   * In Wise's batch file for recipients by e-mail, each one receives the exact amount (`target`). Source: Wise's "How
   * do I fill in my batch template".
   */
  file: csvFile({
    name: 'wise.csv',
    format: { word: 'wallet_b', meaning: "is Wise's batch file" },
    header: true,
    maxRows: 1_000,
    addresses: ['recipientEmail'],
    columns: {
      name: ({ affiliate }) => payeeNameOf(affiliate),
      recipientEmail: ({ affiliate }) => affiliate.wiseEmail ?? '',
      paymentReference: wiseReference,
      receiverType: ({ affiliate }) => (affiliate.recipientType ?? 'person').toUpperCase(),
      amountCurrency: () => 'target',
      amount: amountOf,
      sourceCurrency: currencyOf,
      targetCurrency: currencyOf,
    },
  }),
  report: {
    /** Source: Wise, "Tracking transfers", read in November 2026. */
    words: {
      completed: 'paid',
      outgoingpaymentsent: 'paid',
      sent: 'paid',
      failed: 'failed',
      cancelled: 'failed',
      refunded: 'returned',
      fundsrefunded: 'returned',
      bouncedback: 'returned',
      chargedback: 'returned',
      pending: 'sent',
      processing: 'sent',
      fundsconverted: 'sent',
      incomingpaymentwaiting: 'sent',
      incomingpaymentinitiated: 'sent',
    },
    referencesOf: (payout) => [wiseReference(payout), earlierReference(payout)],
  },
  reasons: { no_wallet: noWallet, unsafe_email: unsafeEmail, no_name: noName },
  skipReason({ affiliate }) {
    const { wiseEmail: email } = affiliate
    if (!email) return 'no_wallet'
    if (isUnsafe(email)) return 'unsafe_email'
    return payeeNameOf(affiliate) ? null : 'no_name'
  },
  checksName: true,
})
