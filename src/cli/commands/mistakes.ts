import { Command } from 'commander'
import { mutate } from '../mutate.ts'
import { reportResult } from '../report.ts'
import { idOption, programOption, withJson } from './options.ts'

/** For what was made by mistake and was never used: the server rejects the deletion of anything else. */
export const mistakeCommands = (): Command[] => [
  deletion('delete-link', 'link', 'deleteAffiliateLink'),
  deletion('delete-coupon', 'coupon', 'deleteAffiliateCoupon'),
  deletion('delete-campaign', 'campaign', 'deleteCampaign'),
]

const deletion = (name: string, noun: string, mutation: string): Command =>
  withJson(new Command(name))
    .description(`delete a ${noun} that was made by mistake and is not in use`)
    .addOption(programOption())
    .addOption(idOption(`the ${noun}`))
    .action(({ json, program, id }) =>
      reportResult({ json }, async () => {
        await mutate(mutation, '__typename', { id }, program)
        return { [`deleted_${noun}`]: { id } }
      }),
    )
