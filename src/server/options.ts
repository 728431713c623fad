import type { Backups } from '../database/backup/schedule.ts'
import type { Database } from '../database/open.ts'
import { type PortalHosts, withPortalHosts } from '../kernel/public-url.ts'
import type { PasswordHashing } from '../modules/people/auth.ts'
import type { OidcSettings } from '../modules/people/auth-endpoints.ts'
import type { PersistedOperations } from './graphql/persisted-operations.ts'
import type { RequestLimitSettings } from './limits/rate-limits.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { BackgroundOptions } from './operations/background.ts'
import type { MailEventSettings } from './pages/mail/events.ts'
import type { SubscriptionLimits } from './subscriptions/hub.ts'
import type { Tracing } from './traces/tracing.ts'
import type { TrackingSettings } from './tracking/settings.ts'

/** What the service is made with. */
export type AppOptions = BackgroundOptions & {
  database: Pick<Database, 'ping' | 'pool' | 'readFrom'> & Partial<Pick<Database, 'tryWrite' | 'freeBytes'>>
  adminToken: string
  previousAdminToken?: string | undefined
  tracking?: Partial<TrackingSettings>
  subscriptions?: Partial<SubscriptionLimits>
  /** The origins whose pages may use GraphQL with an affiliate token; by default empty. */
  portalOrigins?: readonly string[]
  /** The hosts that have the pages for affiliates of a program each; by default none. */
  portalHosts?: PortalHosts
  persistedOperations?: PersistedOperations
  oidc?: OidcSettings | undefined
  /** By default scrypt, which takes a tenth of a second. */
  passwords?: PasswordHashing | undefined
  cell?: string | undefined
  /** What providers of mail send with their events, and a topic that signs them. Without both, events are rejected. */
  mailEvents?: MailEventSettings
  /** The newest version of the service if it is newer than this one, for operators. */
  newerVersion?: (() => string | null) | undefined
  /** The scheduled backups, whose state operators see. */
  backups?: Pick<Backups, 'findProblem' | 'ageSeconds' | 'everySeconds'> | undefined
  /** For each API key with the superset profile; by default the convention's 45. */
  requestsPer30Seconds?: number
  /** For each API key and each address; by default only failed authentication is limited. */
  limits?: Partial<RequestLimitSettings>
  /** How many bytes of larger request bodies are held at a time; by default 64 MiB. */
  maxBodyBytesInAll?: number
  /** How long an operation of REST or GraphQL may take, in milliseconds. */
  operationMs?: number
  /** Whether the demo program, if it exists, has a shop to try tracking in. */
  demoShop?: boolean
  /** Counters for `/metrics`, which exists only with the token. */
  metrics?: { metrics: Metrics; token: string | undefined }
  /** Spans of requests and operations. The database has its own: see `openDatabase`. */
  tracing?: Tracing | undefined
  /** The only clock. */
  now?: () => Date
}

/** The addresses of the service, and of programs that have their own host. */
export const publicUrlOf = ({ publicUrl, portalHosts = new Map() }: Pick<AppOptions, 'publicUrl' | 'portalHosts'>) =>
  withPortalHosts(publicUrl, portalHosts)
