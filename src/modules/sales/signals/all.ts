import { coupon } from './coupon.ts'
import { email } from './email.ts'
import { referralId } from './referral-id.ts'
import type { Signal } from './signal.ts'

/** In the order in which they are tried. Source: the contract's decisions on attribution. */
export const signals: readonly Signal[] = [referralId, coupon, email]
