import type { Logger } from 'pino'
import type { AppDb } from '../../kernel/db.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { createFeedWorker } from '../../modules/feeds/derive/worker.ts'
import { createMailWorker } from '../../modules/mails/worker.ts'
import type { ServiceSettings } from '../../modules/payout-services/settings.ts'
import { createPayoutServiceWorker } from '../../modules/payout-services/worker.ts'
import { papersOf } from '../../modules/statements/papers.ts'
import { createWebhookWorker } from '../../modules/webhooks/worker.ts'

export type { ServiceSettings } from '../../modules/payout-services/settings.ts'

type Options = Parameters<typeof createWebhookWorker>[0] &
  Pick<Parameters<typeof createMailWorker>[0], 'mailer'> & {
    db: AppDb
    log: Logger
    now: () => Date
    publicUrl: PublicUrl
    urls: ServiceSettings['urls'] | undefined
    onStep: ServiceSettings['onStep']
  }

/** The loops that talk to others: receivers of webhooks, the mail server, payout services; and that of feeds. */
export function createWorkers({ urls = {}, onStep, ...options }: Options) {
  const { db, log, now, key, mailer, publicUrl } = options
  const payoutServices: ServiceSettings = { key, urls, now, onStep }
  return {
    feedWorker: createFeedWorker(db, log, now),
    webhookWorker: createWebhookWorker(options),
    mailWorker: createMailWorker({ db, log, now, mailer, attachmentsOf: (mail) => papersOf(db, publicUrl(), mail) }),
    payoutServices,
    payoutServiceWorker: createPayoutServiceWorker(db, log, payoutServices),
  }
}
