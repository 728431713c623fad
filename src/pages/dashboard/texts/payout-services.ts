import { formatCount } from '../../parts/format.tsx'

/** A run that is sent by the API of a service. */
export const byService = {
  title: (service: string) => `Send by ${service}`,
  lead: (service: string) => `${service} pays the affiliates, without a file. Ask for a quote first: it sends nothing.`,
  sentLead: (service: string) =>
    `${service} has the run. What becomes of the payments is asked for by itself, and heard by webhooks.`,
  account: 'Account',
  quote: 'Quote',
  payments: 'Would be sent',
  fee: 'Fee',
  feeLater: 'said after the payments',
  balance: 'Balance',
  notEnough: 'not enough',
  expires: 'Valid until',
  quoteEnds: 'The rates and fees are kept until:',
  send: (service: string) => `Send by ${service} …`,
  goOn: (service: string) => `Go on sending by ${service} …`,
  refresh: (service: string) => `Ask ${service}`,
  asked: (service: string) => `${service} was asked.`,
  handedOver: 'Sent since',
  nextStep: 'Goes on',
  confirmTitle: (count: number, service: string) => `Send ${formatCount(count, 'payment')} by ${service}?`,
  confirmText: (count: number, total: string, service: string) =>
    `${service} pays ${total} to ${formatCount(count, 'affiliate')}. This moves money, and cannot be taken back here.`,
  confirmFile: (who: string) =>
    `The file of this run was read by ${who}. If it was uploaded at the service, these people are paid twice.`,
  somebody: 'somebody',
  wasSent: (service: string) => `${service} has the run.`,
  paused: (service: string) => `${service} is paused: nothing is sent. An owner resumes it in Settings, Payouts.`,
  unknown: (count: number, service: string) =>
    `What became of ${formatCount(count, 'payment')} at ${service} is unknown. They are asked for, and never sent as other payments. If you see them on its page, record the result.`,
  isUnknown: 'Unknown',
  answer: 'Answer',
  ownState: 'At the service',
  received: 'Received',
  cancelAt: (service: string) => `Cancel at ${service}`,
  cancelFor: (name: string, service: string) => `Cancel at ${service}: payment of ${name}`,
  cancelLead: (service: string) =>
    `Nobody has claimed it. ${service} gives the money back, and the payout is free for another run.`,
  keepPayment: 'Keep the payment',
  wasCancelled: (name: string) => `The payment of ${name} was cancelled.`,
} as const
