/** The pages where people apply. The other languages are typed as this one. */
export const join = {
  languages: 'Languages',
  title: (program: string) => `Become an affiliate of ${program}`,
  closed: 'The program takes no applications at the moment.',
  notFound: {
    title: 'Page not found',
    text: 'Nothing is at this address. Check the link, or ask the program for a new one.',
  },
  email: 'E-mail',
  firstName: 'First name',
  lastName: 'Last name',
  optional: (label: string) => `${label} (optional)`,
  leaveEmpty: 'Leave this empty',
  terms: 'Terms',
  acceptTerms: 'I accept the terms',
  apply: 'Apply',
  problems: {
    blank: (label: string) => `${label} can't be blank`,
    url: (label: string) => `${label} must start with http:// or https://`,
    tooLong: (label: string, most: string) => `${label} is too long (at most ${most} characters)`,
    number: (label: string) => `${label} must be a number such as 12.5`,
    date: (label: string) => `${label} must be a date such as 2026-01-31`,
    campaign: 'This campaign takes no applications at the moment.',
    wrong: (label: string) => `${label} is not valid`,
    terms: 'Accept the terms to apply.',
  },
  sent: {
    title: (program: string) => `Application to ${program}`,
    heading: 'Look into your mailbox',
    text: (program: string) =>
      `We have sent you a mail with a link. Open it to confirm your application to ${program}.`,
  },
  confirm: {
    title: 'Confirm your e-mail',
    text: 'Press the button to confirm your application.',
    button: 'Confirm',
    applied: 'Thank you. Your e-mail is confirmed. You get a mail with the decision.',
    approved: 'Welcome! You are an affiliate now. We have sent you a mail with your link.',
    rejected: 'Your e-mail is confirmed. Your application was not accepted: see the mail.',
    expired: 'This application has ended. Apply again.',
    invalid: 'This link is not valid, or has expired. Apply again to get a new one.',
    failed: 'The service did not answer. Try again.',
    noscript: 'This page needs JavaScript.',
  },
}

export type JoinTexts = typeof join
