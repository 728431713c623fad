export const people = {
  needsName: 'Enter your name.',
  needsPassword: 'Choose a password.',
  passwordHint: 'At least 12 characters. A few words in a row are easy to remember.',
} as const

export const signIn = {
  title: 'Sign in',
  button: 'Sign in',
  needsEmail: 'Enter your e-mail address.',
  needsPassword: 'Enter your password.',
  needsCode: 'Enter the code.',
  with: (name: string) => `Sign in with ${name}`,
  unknownTo: (name: string) =>
    `There is no account here with your e-mail address at ${name}. Ask an owner of the program for an invitation.`,
  unverifiedAt: (name: string) =>
    `Your e-mail address is not verified at ${name}. Verify it there, or sign in with your password.`,
  notLinkedTo: (name: string) =>
    `Your account here is linked to another account at ${name}. Sign in with that one, or with your password, and link this one in your account.`,
  providerFailed: (name: string) => `The sign-in with ${name} failed. Try again, or sign in with your password.`,
  codeTitle: 'Enter your code',
  codeLead: 'Open your authenticator app, and enter the six digits that it shows for Tributary.',
  recoveryLead: 'Enter one of the recovery codes that you saved. Each works once.',
  useRecovery: 'Use a recovery code',
  useCode: 'Use a code of the app',
  forgotten: 'Forgot your password? An operator of this service can make you a link to choose a new one.',
  forgottenLink: 'Forgot your password?',
  forgottenTitle: 'Forgot your password?',
  forgottenLead: 'Enter the e-mail address of your account. You get a link to choose a new password.',
  forgottenButton: 'Send the link',
  forgottenSent: 'Check your e-mail',
  forgottenSentLead: (email: string) =>
    `If ${email} has an account, a link is on its way. It works once, within an hour. Check the spam folder too. If no mail arrives, ask an operator of this service.`,
  back: 'Back to the sign-in',
  nobodyTitle: 'Nobody has an account yet',
  nobodyLead:
    'Open the set-up link that the service printed when it started. It makes the account of the first operator.',
  nobodyCommand: 'Without the link, make another one on the server:',
} as const

export const passwordReset = {
  loading: 'New password',
  title: 'Choose a new password',
  lead: (email: string) =>
    `For the account ${email}. This signs you out everywhere. Then sign in with the new password.`,
  rejected: 'This link cannot be used',
  button: 'Change password',
  done: 'Your password was changed',
  doneLead: 'Sign in with the new one.',
} as const

export const emailChange = {
  title: 'Confirm your new e-mail',
  lead: (email: string, newEmail: string) => `The account ${email} will have the address ${newEmail}.`,
  rejected: 'This link cannot be used',
  button: 'Confirm',
  done: 'Your e-mail was changed',
  doneLead: (email: string) => `From now on, sign in with ${email}. You stay signed in where you are.`,
  open: 'Open the dashboard',
} as const

export const setUp = {
  title: 'Set up Tributary',
  lead: 'Create the account of the first operator. Operators create programs and invite people.',
  button: 'Create account',
  noTokenTitle: 'This link is not complete',
  noToken: 'The service prints a set-up link when it starts for the first time. Open the complete link.',
  loading: 'Set up Tributary',
  rejected: 'This set-up link cannot be used',
} as const

export const invitation = {
  loading: 'Invitation',
  title: (program: string) => `Join ${program}`,
  lead: (email: string, role: string) => `You are invited as ${role}. Your account is ${email}.`,
  rejected: 'This invitation cannot be used',
  otherPerson: (email: string) =>
    `You are signed in as ${email}. Accepting the invitation signs you in as the other person.`,
  known: 'You have an account already. Sign in to accept the invitation.',
  button: 'Accept invitation',
} as const

export const connect = {
  loading: 'Connect an application',
  rejected: 'This application cannot be connected',
  rejectedHint: 'Nothing was allowed. Go back to the application, and try again.',
  title: (name: string) => `Let ${name} act as you?`,
  lead: (email: string) => `You are signed in as ${email}.`,
  from: 'Application',
  fromHost: (name: string, host: string) => `${name}, by ${host}`,
  unknownOwner:
    'It chose its name itself: nobody has checked whose it is. Allow it only if you have just started this in it.',
  goesTo: 'Then you go to',
  onDevice: (place: string) => `an application on this device (${place})`,
  program: 'Program',
  reads: 'It can read everything that you can see in this program.',
  proposes: 'It may also propose changes. A person confirms each here. It cannot move money.',
  noProgram: 'You can open no program here, so there is nothing to connect.',
  allow: 'Allow',
  deny: 'Do not allow',
  leaving: 'You are being sent back to the application.',
} as const
