import { agent } from './agent.ts'
import { coupon } from './coupon.ts'
import { email } from './email.ts'
import { referralId } from './referral-id.ts'
import type { Signal } from './signal.ts'

/**
 * In the order in which they are tried. Source: the contract's decisions on attribution. What an agent says comes after
 * what the customer did, and before what is only known of the customer.
 */
export const signals: readonly Signal[] = [referralId, coupon, agent, email]
