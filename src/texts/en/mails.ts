import type { MailKind } from '../../generated/prisma/enums.ts'

/** A text that programs can edit. `button` is what the link of a mail says. Empty: it has no link. */
export type Written = { subject: string; text: string; button: string }

/** What mails say. The other languages are typed as this one. */
export const mails = {
  mails: {
    application_confirm: {
      subject: 'Confirm your e-mail for {{program}}',
      text: 'Hello,\n\nSomebody applied to the affiliate program {{program}} with this e-mail address. Open this link and press its button to confirm it:\n\n{{link}}\n\nThe link works for two days. If it was not you, ignore this mail: nothing happens.',
      button: 'Confirm the e-mail',
    },
    application_received: {
      subject: 'Your application to {{program}}',
      text: 'Hello {{name}},\n\nYour application to the affiliate program {{program}} has arrived. A person looks at it, and you get a mail with the decision.',
      button: '',
    },
    application_approved: {
      subject: 'Welcome to {{program}}',
      text: 'Hello {{name}},\n\nYou are an affiliate of {{program}} now. This is your link. Visitors who come through it, and what they buy, are counted for you:\n\n{{affiliate_url}}\n\nYour portal shows clicks, commissions and payouts:\n\n{{link}}',
      button: 'Open the portal',
    },
    application_rejected: {
      subject: 'Your application to {{program}}',
      text: 'Hello {{name}},\n\nThank you for your application to the affiliate program {{program}}. It was not accepted.\n\n{{reason}}',
      button: '',
    },
    work_waiting: {
      subject: 'Something waits for you at {{program}}',
      text: 'Hello {{name}},\n\nThis waits for you at {{program}}:\n\n{{list}}\n\n{{link}}',
      button: 'Open the dashboard',
    },
    deliveries_failing: {
      subject: 'Webhooks or feeds of {{program}} fail',
      text: 'Hello {{name}},\n\nThese webhooks or feeds of {{program}} fail:\n\n{{list}}\n\nThe dashboard shows what was answered. Webhooks are sent again for three days. An endpoint that fails for that long is disabled.\n\n{{link}}',
      button: 'See what failed',
    },
    payout_runs_made: {
      subject: 'Payout runs of {{day}} at {{program}}',
      text: 'Hello {{name}},\n\nThese payout runs of {{day}} were due at {{program}}:\n\n{{list}}\n\n{{link}}',
      button: 'Open the payout runs',
    },
    monthly_statement: {
      subject: 'Your statement of {{month}} from {{program}}',
      text: 'Hello {{name}},\n\nYour month at {{program}}:\n\nEarned in {{month}}: {{earned}}\nPaid in {{month}}: {{paid}}\nDue now: {{due}}\n\n{{link}}',
      button: 'Open the portal',
    },
    month_closed: {
      subject: 'Your statement of {{month}} from {{program}}, as a PDF',
      text: 'Hello {{name}},\n\n{{program}} has closed {{month}}. Your statement is attached.\n\nOwed to you at the end of the month: {{owed}}\n\nThe portal also has it as a file that anybody can verify:\n\n{{link}}',
      button: 'Open the statements',
    },
    terms_changed: {
      subject: 'New terms of {{program}}',
      text: 'Hello {{name}},\n\nThe affiliate program {{program}} has new terms. They hold from {{from}}.\n\n{{required}}\n\nFrom that day on, you can read and accept them in the portal:\n\n{{link}}',
      button: 'Open the portal',
    },
    reward_changed: {
      subject: 'What you earn at {{program}} changes',
      text: 'Hello {{name}},\n\n{{change}}\n\nThis is what you earn then:\n\n{{reward}}\n\n{{before}}\n\nSales from before keep what they have earned.\n\n{{link}}',
      button: 'See what you earn',
    },
    invitation: {
      subject: '{{program}} invites you to become an affiliate',
      text: 'Hello,\n\n{{program}} invites you to its affiliate program. The page says what it pays:\n\n{{link}}\n\nIf you do not want to, ignore this mail: nothing happens.',
      button: 'See the offer',
    },
    commissions_earned: {
      subject: 'You earned {{amount}} at {{program}}',
      text: 'Hello {{name}},\n\nNew commissions: {{count}}\nTogether: {{amount}}\n\n{{link}}',
      button: 'See your commissions',
    },
    payout_sent: {
      subject: 'Your payout of {{amount}} from {{program}}',
      text: 'Hello {{name}},\n\nWe have paid you {{amount}}.\n\n{{payment}}\n\n{{link}}',
      button: 'See your payouts',
    },
    payout_failed: {
      subject: 'Your payout from {{program}} did not arrive',
      text: 'Hello {{name}},\n\nThe payment of {{amount}} failed or came back. Check your payout address in the portal. The commissions are paid with your next payout.\n\n{{payment}}\n\n{{link}}',
      button: 'Check the payout address',
    },
    payout_unclaimed: {
      subject: '{{amount}} from {{program}} waits for you',
      text: 'Hello {{name}},\n\n{{amount}} waits for you at {{service}}: nobody has claimed it there yet. Open {{service}} with the address to which it was sent, or open an account with that address, and claim it.\n\n{{payment}}\n\nIf it is not claimed, it comes back to us, at PayPal after 30 days, and is paid with a later payout.\n\n{{link}}',
      button: 'See your payouts',
    },
    payout_address_dead: {
      subject: '{{program}} needs another payout address from you',
      text: 'Hello {{name}},\n\nThree payments to {{address}} have failed, the last one of {{amount}}. We send no more payments there. Please enter another payout address in the portal: then your next payout goes to it.\n\n{{payment}}\n\n{{link}}',
      button: 'Change the payout address',
    },
    payout_address_change: {
      subject: 'Your payout address at {{program}} has changed',
      text: 'Hello {{name}},\n\nSomebody has changed this in your account at the affiliate program {{program}}: {{what}}.\n\n{{wait}}\n\nIf it was you, do nothing. If it was not you, open this link within seven days and press its button. Your old payout address is used again then:\n\n{{link}}',
      button: 'It was not me',
    },
    sign_in: {
      subject: 'Sign in to {{program}}',
      text: 'Hello,\n\nOpen this link to sign in to the affiliate portal of {{program}}:\n\n{{link}}\n\nThe link works once, within 15 minutes. If you did not ask for it, ignore this mail.',
      button: 'Sign in',
    },
  } satisfies Partial<Record<MailKind, Written>>,
  /** Below mails that can be stopped. */
  footer:
    'You get this mail because you are an affiliate of {{program}}.\nStop mails of this kind: {{unsubscribe}}\nChoose your mails: {{preferences}}',
  /** What `{{what}}` lists in the mail about a changed payout address. */
  payoutFields: {
    preferredPayoutMethod: 'the way you are paid',
    paypalEmail: 'the PayPal address',
    wiseEmail: 'the Wise address',
    stripeAccount: 'the Stripe account',
    iban: 'the bank account',
    bic: 'the BIC of the bank',
  },
  /** `{{service}}` in a mail about a payment whose service has no name of its own. */
  paymentService: 'the payment service',
  /** `{{wait}}` in the mail about a changed payout address. */
  payoutsWait: (until: string) => `Payouts wait until ${until}.`,
  /** The mail about a changed payout address, after a change was rejected. Programs do not edit it. */
  payoutChangeRejected: {
    subject: 'Your payout address at {{program}} was set back',
    text: 'Hello {{name}},\n\nA change of your payout address at the affiliate program {{program}} was rejected, by the link in our mail. The address from before is used again. Different now: {{what}}.\n\n{{wait}}\n\nCheck in the portal that the address is right:\n\n{{link}}',
    button: 'Check the payout address',
  },
  /** Below mails to managers. */
  managerFooter:
    'You get this mail because you manage {{program}}.\nStop mails of this kind: {{unsubscribe}}\nThe dashboard, below Mails, turns them on again.',
  /** What became of a run of a day, after the method and the currency. */
  scheduledRun: {
    prepared: (sum: string) => `waits for a person: ${sum}`,
    sent: (sum: string) => `was sent: ${sum}`,
    skipped: () => 'was not made',
    failed: () => 'failed',
  },
  /** The lines of the daily mail to managers, in order. */
  waiting: {
    applications: (count: string) => `Applications that wait for a decision: ${count}`,
    held: (count: string) => `Commissions that are held: ${count}`,
    proposals: (count: string) => `Proposals that wait for confirmation: ${count}`,
    payouts: (count: string) => `Payouts that can be paid: ${count}`,
    webhooks: (count: string) => `Webhook endpoints that fail: ${count}`,
    feeds: (count: string) => `Feeds that reject requests: ${count}`,
  },
  /** `{{required}}` in the mail about new terms. */
  termsRequired: (date: string) =>
    `Accept them by ${date}. After that, new commissions of affiliates who have not accepted them are held until they do.`,
  /** `{{before}}` in the mail about a change of what is earned. */
  rewardBefore: (lines: string) => `Until then:\n${lines}`,
}

export type MailTexts = typeof mails
/** The mails that have a text. */
export type WrittenKind = keyof MailTexts['mails']
