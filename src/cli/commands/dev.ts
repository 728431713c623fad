import { Command, InvalidArgumentError } from 'commander'
import { filled } from './options.ts'

/** What helps to try things out. It changes no data of a server. */
export const devCommand = (): Command =>
  new Command('dev').description('what helps to try things out').addCommand(
    new Command('payout-services')
      .description('start stand-ins of payout services, which move no money')
      .option('--port <number>', 'the first port', filled, '4810')
      .option('--settle-after <seconds>', 'when payments are done', filled, '5')
      .option(
        '--webhook-url <service=address...>',
        'where webhooks are sent: paypal=, stripe= or wise= and the `webhookUrl` of the connected service',
      )
      .option('--trouble', 'lose answers, limit, delay and fail now and then, and send some webhooks late')
      .addHelpText(
        'after',
        `
The address of a payee decides what happens: unclaimed…@ does not claim, the payment to failed…@ fails, invalid…@ is refused,
country…@ is where the service does not pay, euro…@ gets euro by PayPal, others are paid. By Stripe, the name
of a payee decides: failed, refused or euro in it. Each webhook is sent twice.`,
      )
      .action(async (options: Options) => {
        const { runStandIns } = await import('../stand-ins/run.ts')
        await runStandIns({
          port: Number(options.port),
          settleAfterMs: Number(options.settleAfter) * 1_000,
          webhookUrls: Object.fromEntries((options.webhookUrl ?? []).map(readWebhookUrl)),
          hasTrouble: options.trouble === true,
        })
      }),
  )

type Options = { port: string; settleAfter: string; webhookUrl?: string[]; trouble?: boolean }

/** @throws InvalidArgumentError */
function readWebhookUrl(given: string): [service: string, address: string] {
  const [, service, address] = /^([a-z]+)=(https?:\/\/.+)$/.exec(given) ?? []
  if (!service || !address)
    throw new InvalidArgumentError(`--webhook-url ${given}: write paypal=http://…, stripe=http://… or wise=http://…`)
  return [service, address]
}
