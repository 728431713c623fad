/** The pages that links in mails lead to. The other languages are typed as this one. */
export const mailPages = {
  title: 'Mails',
  /** A link that is cut off, or that no longer works. */
  invalid: 'This link no longer works',
  incomplete: 'Open the complete link from the mail.',
  /** The program is closed to writes. */
  moving: 'This did not work yet',
  movingText: 'The program is being moved to another server. Try again in an hour.',
  stop: {
    question: (what: string) => `Stop ${what}?`,
    button: 'Stop these mails',
    done: (what: string) => `You get no more ${what}`,
    again: 'You can turn them on again in the portal.',
    againForManagers: 'You can turn them on again in the dashboard.',
    what: {
      commissions: 'mails about new commissions',
      payouts: 'mails about payouts',
      statements: 'monthly statements',
      terms: 'mails about new terms',
      rewards: 'mails about what you earn',
      messages: 'messages of the program',
      daily: 'mails about what waits for you',
      failures: 'mails about failing webhooks and feeds',
    },
  },
  reject: {
    question: 'Reject the new payout address?',
    text: 'The address that you had before is used again then, if it is at least seven days old. Payouts wait anew.',
    button: 'Reject it',
    done: 'Your old payout address is used again',
    doneText: 'Tell the program that somebody else had access to your account.',
    invalidText: 'Open the link of the newest mail, or ask the program to change your payout address.',
  },
  preferences: {
    title: 'Your mails',
    saved: 'Saved.',
    save: 'Save',
    commissions: 'New commissions',
    cadences: { at_once: 'at once', daily: 'once a day', weekly: 'once a week', never: 'never' },
    payouts: 'Payouts that were sent or failed',
    statements: 'A statement of each month',
    terms: 'New terms',
    rewards: 'Changes of what you earn',
    messages: 'Messages of the program',
  },
}

export type MailPageTexts = typeof mailPages
