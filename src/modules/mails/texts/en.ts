import type { MailTexts } from './written.ts'

export const en: MailTexts = {
  mails: {
    application_confirm: {
      subject: 'Confirm your e-mail for {{program}}',
      text: 'Hello,\n\nsomebody applied to the affiliate program {{program}} with this e-mail address. Open this link and press its button to confirm it:\n\n{{link}}\n\nThe link works for two days. If it was not you, ignore this mail: nothing happens.',
      button: 'Confirm the e-mail',
    },
    application_received: {
      subject: 'Your application to {{program}}',
      text: 'Hello {{name}},\n\nyour application to the affiliate program {{program}} has arrived. A person looks at it, and you get a mail with the decision.',
      button: '',
    },
    application_approved: {
      subject: 'Welcome to {{program}}',
      text: 'Hello {{name}},\n\nyou are an affiliate of {{program}} now. This is your link. Visitors who come through it, and what they buy, are counted for you:\n\n{{affiliate_url}}\n\nYour portal shows clicks, commissions and payouts:\n\n{{link}}',
      button: 'Open the portal',
    },
    application_rejected: {
      subject: 'Your application to {{program}}',
      text: 'Hello {{name}},\n\nthank you for your application to the affiliate program {{program}}. It was not accepted.\n\n{{reason}}',
      button: '',
    },
    applications_waiting: {
      subject: 'Applications to {{program}} wait for you',
      text: 'Hello {{name}},\n\napplications that wait for a decision: {{count}}\n\n{{link}}\n\nYou get this mail because you manage {{program}}. It is sent once a day, if there are new ones. It can be turned off in the dashboard, below Applications, How people apply.',
      button: 'Decide',
    },
    invitation: {
      subject: '{{program}} invites you to become an affiliate',
      text: 'Hello,\n\n{{program}} invites you to its affiliate program. The page says what it pays:\n\n{{link}}\n\nIf you do not want to, ignore this mail: nothing happens.',
      button: 'See the offer',
    },
    commissions_earned: {
      subject: 'You earned {{amount}} at {{program}}',
      text: 'Hello {{name}},\n\nnew commissions: {{count}}\nTogether: {{amount}}\n\n{{link}}',
      button: 'See your commissions',
    },
    payout_sent: {
      subject: 'Your payout of {{amount}} from {{program}}',
      text: 'Hello {{name}},\n\nwe have paid you {{amount}}.\n\n{{link}}',
      button: 'See your payouts',
    },
    payout_failed: {
      subject: 'Your payout from {{program}} did not arrive',
      text: 'Hello {{name}},\n\nthe payment of {{amount}} failed or came back. Check your payout address in the portal. The commissions are paid with your next payout.\n\n{{link}}',
      button: 'Check the payout address',
    },
    payout_address_change: {
      subject: 'Your payout address at {{program}} has changed',
      text: 'Hello {{name}},\n\nsomebody has changed this in your account at the affiliate program {{program}}: {{what}}.\n\n{{wait}}\n\nIf it was you, do nothing. If it was not you, open this link within seven days and press its button. Your old payout address is used again then:\n\n{{link}}',
      button: 'It was not me',
    },
    sign_in: {
      subject: 'Sign in to {{program}}',
      text: 'Hello,\n\nopen this link to sign in to the affiliate portal of {{program}}:\n\n{{link}}\n\nThe link works once, within 15 minutes. If you did not ask for it, ignore this mail.',
      button: 'Sign in',
    },
  },
  footer:
    'You get this mail because you are an affiliate of {{program}}.\nStop mails of this kind: {{unsubscribe}}\nChoose your mails: {{preferences}}',
  payoutFields: {
    preferredPayoutMethod: 'the way you are paid',
    walletAEmail: 'the PayPal address',
    walletBEmail: 'the Wise address',
    iban: 'the bank account',
    bic: 'the BIC of the bank',
  },
  payoutsWait: (until) => `Payouts wait until ${until}.`,
}
