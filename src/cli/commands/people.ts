import { Command } from 'commander'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { withJson } from './options.ts'

export const peopleCommands = (): Command[] => [
  withJson(new Command('create-operator'))
    .description('print a link with which a person makes an account as an operator; it works once, within an hour')
    .action((options) => reportResult(options, () => createSetUpLink())),
]

const createSetUpLink = async () =>
  (await operate<{ createSetUpLink: { url: string } }>('mutation { createSetUpLink(input: {}) { url } }'))
    .createSetUpLink
