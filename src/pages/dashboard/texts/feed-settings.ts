import type { FeedKind } from '../../../generated/prisma/enums.ts'
import type { feedPresets } from '../../../modules/feeds/input.ts'

export type Preset = Uppercase<(typeof feedPresets)[number]>

/** Where the secret of a billing system comes from. */
type Secret = { isMadeHere: boolean; hint: string }
const fromSystem = (name: string): Secret => {
  return { isMadeHere: false, hint: `${name} shows it where you enter the address.` }
}
const orMade: Secret = { isMadeHere: true, hint: 'Leave it empty to have one made here.' }

export const secrets = {
  STRIPE: fromSystem('Stripe'),
  PADDLE: fromSystem('Paddle'),
  LEMON_SQUEEZY: orMade,
  CHARGEBEE: { ...orMade, hint: `${orMade.hint} It has the form user:password.` },
  POLAR: fromSystem('Polar'),
  GENERIC: orMade,
  SHOPIFY: fromSystem('Shopify'),
  WOOCOMMERCE: orMade,
} satisfies Record<Uppercase<FeedKind> | Preset, Secret>

/** What the page of a feed says about pauses. */
export const pausing = {
  pause: 'Pause',
  resume: 'Resume',
  paused: 'Paused. Events are stored, and make no sales.',
  resumed: 'Resumed. Events that came meanwhile are read from now on.',
  failed: 'It could not be changed.',
  since: 'Paused since',
}

/** What the form of signatures says. */
export const signing = {
  title: 'Signature and body',
  wasChanged: 'Saved. It applies to requests from now on.',
  header: 'Header of the signature',
  headerHint: 'Leave it empty for Standard Webhooks, X-Signature, X-Hub-Signature-256 or a bearer token.',
  encoding: 'Encoding',
  encodings: { HEX: 'Hexadecimal', BASE64: 'Base64' },
  prefix: 'Prefix',
  prefixHint: 'What stands before the digest, such as sha256=.',
  algorithm: 'Hash',
  algorithms: { SHA256: 'SHA-256', SHA512: 'SHA-512', SHA1: 'SHA-1' },
  content: 'What is signed',
  contents: { BODY: 'The body', TIME_AND_BODY: 'A time and the body' },
  replay: 'A signature without a time does not expire: a request that somebody has seen can be sent again.',
  body: 'Body',
  bodies: { JSON: 'JSON', FORM: 'Form' },
}
