import { Command } from 'commander'
import { mutate } from '../mutate.ts'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { withJson } from './options.ts'

export const peopleCommands = (): Command[] => [
  withJson(new Command('create-operator'))
    .description('print a link with which a person makes an account as an operator; it works once, within an hour')
    .action((options) => reportResult(options, () => createSetUpLink())),
  withJson(new Command('create-password-reset'))
    .description('print a link with which a person chooses a new password; it works once, within an hour')
    .requiredOption('--email <email>', 'the e-mail address with which the person signs in')
    .action(({ email, ...options }) => reportResult(options, () => createPasswordReset(email))),
]

const createPasswordReset = (email: string) => mutate<{ url: string }>('createPasswordResetLink', 'url', { email })

const createSetUpLink = async () =>
  (await operate<{ createSetUpLink: { url: string } }>('mutation { createSetUpLink(input: {}) { url } }'))
    .createSetUpLink
