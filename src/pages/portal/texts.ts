/** What the portal says. */
const newLink =
  'Return to the site where you manage your account and open the portal again: you get a new link each time.'

export const texts = {
  signedOut: {
    newLink,
    signIn: { title: 'Sign in', text: 'You get a mail with a link that signs you in. There is no password.' },
    noTicket: {
      title: 'Sign in with a link',
      text: 'This page shows affiliates their own data. You find the link to it on the site where you manage your account.',
    },
    rejected: 'This link no longer works',
    expired: { title: 'Your session has ended', text: 'Sessions last one hour, to protect your data.' },
    signedOut: { title: 'You are signed out', text: 'To see your data again, sign in with a new link.' },
    unreachable: {
      title: 'The service is not responding',
      text: 'Your link was not used. Try again now: it works only for a short time.',
    },
    tryAgain: 'Try again',
  },
  signIn: {
    email: 'E-mail address',
    send: 'Send me a link',
    sent: 'If the address is known, a mail with a link is on its way. The link works once, within 15 minutes.',
    noAddress: 'Enter the e-mail address of your account.',
    tooMany: 'Too many links were asked for. Wait a minute, then try again.',
    failed: 'The service is not responding. Try again in a moment.',
  },
} as const
