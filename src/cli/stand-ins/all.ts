import { type PayPalOptions, startPayPal } from './paypal.ts'
import type { ServiceStandIn } from './stand-in.ts'
import { startStripe } from './stripe.ts'
import { startWise, type WiseOptions, type WiseStandIn } from './wise.ts'

type StandInOptions = Pick<PayPalOptions & WiseOptions, 'port' | 'perSecond' | 'isQuick'>

/** A stand-in of a service, as the command and tests use it. */
export type StandInKind = {
  name: string
  /** What the setting with its address is called. */
  setting: string
  start(options?: StandInOptions): Promise<ServiceStandIn>
  credentialsOf(standIn: ServiceStandIn): Record<string, string>
  /** The requests that hand payments over. */
  sends: RegExp
  /** What the command lets through. PayPal says 400 a minute, Stripe 25 a second in a sandbox, and Wise nothing. */
  perSecond: number
}

export const standIns: Readonly<Record<string, StandInKind>> = {
  paypal: {
    name: 'PayPal',
    setting: 'PAYPAL_API_URL',
    start: startPayPal,
    credentialsOf: () => ({ clientId: 'stand-in', clientSecret: 'stand-in-secret', webhookId: 'WH-STAND-IN' }),
    sends: /^POST .*\/payments\/payouts$/,
    perSecond: 7,
  },
  stripe: {
    name: 'Stripe',
    setting: 'STRIPE_API_URL',
    start: startStripe,
    credentialsOf: () => ({ secretKey: 'rk_test_stand_in', webhookSecret: 'whsec_stand_in' }),
    sends: /^POST .*\/(outbound_payments|transfers)$/,
    perSecond: 25,
  },
  wise: {
    name: 'Wise',
    setting: 'WISE_API_URL',
    start: startWise,
    credentialsOf: (standIn) => ({ token: 'stand-in', webhookKey: (standIn as WiseStandIn).webhookKey }),
    sends: /^(POST|PATCH) .*\/batch-/,
    perSecond: 50,
  },
}
