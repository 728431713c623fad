import type { ProgramCtx } from '../../../kernel/context.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { recordLead } from '../../referrals/service.ts'
import type { Differences } from './differences.ts'
import type { Plan } from './fold.ts'
import type { Outcome } from './outcomes.ts'
import { type Signals, whyNobody } from './signals.ts'

export type GroupOptions = {
  now: Date
  /** Notes what differs instead of applying it. */
  dryRun?: Differences
  /** The events whose customer is recorded as a lead already. */
  knownLeads: ReadonlySet<string>
}

export const reasonOf = (error: TributaryError): string =>
  error.problems.length > 0
    ? error.problems.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' ')
    : error.message

/** A trial makes the visitor a lead. */
export async function deriveLead(
  ctx: ProgramCtx,
  { event, lead, who }: Plan['leads'][number],
  { signals, options }: { signals: Signals; options: GroupOptions },
): Promise<Outcome> {
  const what = `It is ${lead.what}, so no sale.`
  const at = new Date(lead.at)
  const referralId = who.referrals.find((value) => signals.ofReferral(value, at) === null)
  if (referralId === undefined) {
    const tried = who.referrals.length > 0 ? ` It leads to no affiliate: ${whyNobody(who, signals, at)}.` : ''
    return { outcome: 'ignored', reason: `${what}${tried || ' No referral is known of the customer.'}`, again: 'soon' }
  }
  const [email] = who.emails
  if (!email) return { outcome: 'waiting', reason: `${what} Waits for the e-mail of the customer.`, again: 'later' }
  if (options.knownLeads.has(event)) return { outcome: 'lead', reason: what }
  if (options.dryRun) return { outcome: 'lead', reason: what }
  try {
    const { name, customer: billingCustomerId } = who
    await recordLead(ctx, { referralId, email, name, billingCustomerId })
    return { outcome: 'lead', reason: what }
  } catch (error) {
    if (!(error instanceof TributaryError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL') throw error
    return { outcome: 'ignored', reason: `${what} ${reasonOf(error)}` }
  }
}
