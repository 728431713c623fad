import type { Bucket } from '../../kernel/bucket.ts'
import type { AppDb } from '../../kernel/db.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import type { Handler } from '../handler.ts'
import { createDocs, type Docs } from './api-reference/serve.ts'
import { createDashboard } from './dashboard.ts'
import { createDemoShop, hasDemoProgram } from './demo-shop/serve.ts'
import { withEmbedScript } from './embed-script.ts'
import { createHome } from './home/serve.ts'
import { createJoin } from './join/serve.ts'
import { answerLook } from './look/serve.ts'
import { createMailEvents, type MailEventSettings } from './mail/events.ts'
import { createMailPages } from './mail/serve.ts'
import { createPortal } from './portal.ts'
import { answerTrackScript } from './track-script.ts'
import { createPublicKeys, createVerifyPage } from './verify/serve.ts'

type Options = {
  db: AppDb
  now: () => Date
  publicUrl: PublicUrl
  /** Handles the paths of the dashboard that sign people in. */
  signIn: Handler
  webhooks: { key: Buffer }
  /** Without it, the files of assets are in the database. */
  bucket: Bucket | undefined
  mailEvents: MailEventSettings
  /** How many proxies are in front of the service. */
  trustedProxies: number
  limitSecret: string
  /** Whether the demo program, if it exists, has a shop to try tracking in. */
  hasDemoShop: boolean
}

type Pages = Record<
  | 'join'
  | 'mail'
  | 'portal'
  | 'dashboard'
  | 'docs'
  | 'demoShop'
  | 'home'
  | 'look'
  | 'trackScript'
  | 'verify'
  | 'publicKeys',
  Handler
> &
  Pick<Docs, 'answerDocument'>

/** The handlers of all pages but GraphiQL, which has a path with GraphQL. */
export function createPages(options: Options): Pages {
  const { db, now, publicUrl, signIn, webhooks, bucket, mailEvents: events, hasDemoShop, ...limits } = options
  const mailPages = createMailPages({ db, now, webhooks, publicUrl })
  const mailEvents = createMailEvents({ db, now, ...events, ...limits })
  const { handle: docs, answerDocument } = createDocs(publicUrl)
  return {
    mail: async (...request) => (await mailEvents(...request)) ?? mailPages(...request),
    join: withEmbedScript('/join/', createJoin({ db, now, publicUrl, key: webhooks.key, ...limits })),
    portal: withEmbedScript('/portal/', createPortal({ db, now, webhooks, bucket, publicUrl, ...limits })),
    dashboard: createDashboard(signIn),
    docs,
    answerDocument,
    demoShop: hasDemoShop ? createDemoShop({ db, now, ...limits }) : () => null,
    home: createHome(async () => hasDemoShop && (await hasDemoProgram(db))),
    look: answerLook,
    verify: createVerifyPage(db),
    publicKeys: createPublicKeys(db),
    trackScript: answerTrackScript,
  }
}
