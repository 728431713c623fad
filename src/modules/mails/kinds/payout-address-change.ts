import type { Kind } from './kind.ts'

export const payoutAddressChange: Kind = {
  description:
    'To an affiliate, also at a replaced e-mail address that payments have reached: the payout address has changed, or a change was rejected.',
  to: 'affiliate',
  stop: null,
  // Without it people would not notice that somebody else uses their account.
  isAlwaysSent: true,
  needsLink: true,
  examples: ({ name, link, time, texts }) => {
    return { name, link, what: texts.payoutFields.iban, wait: texts.payoutsWait(time) }
  },
}
