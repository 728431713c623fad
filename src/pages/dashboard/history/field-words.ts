import type { HistorySubject } from '../../../generated/dashboard/history/graphql.ts'
import { snakeCase } from '../../../kernel/text.ts'
import { affiliates } from '../../../resources/affiliates.ts'
import { namesWith, type Resource } from '../../../resources/resource.ts'
import { texts } from '../texts.ts'

type Words = Readonly<Record<string, string>>

const { fields: shared, flags } = texts.settings.history
const { fields: campaign } = texts.campaigns
const { fields: affiliate, one } = texts.affiliates
const { keys, webhooks } = texts.developers
const { people, program } = texts.settings

const access: Words = { email: texts.fields.email, role: people.role }

/** Fields that no form has are called by their names: `billingCustomerId` is "Billing customer id". */
const plainNames = (names: readonly string[]): Words =>
  Object.fromEntries(
    names.map((name) => [
      name,
      snakeCase(name)
        .replaceAll('_', ' ')
        .replace(/^./, (letter) => letter.toUpperCase()),
    ]),
  )

const byName = ({ fields }: Resource): Words => plainNames(namesWith(fields, 'recorded'))

/** What the forms call the recorded fields of each subject. */
export const fieldWords: Readonly<Record<HistorySubject, Words>> = {
  AFFILIATE: {
    ...byName(affiliates),
    campaignId: affiliate.campaign,
    email: texts.fields.email,
    firstName: affiliate.firstName,
    lastName: affiliate.lastName,
    paypalEmail: affiliate.paypalEmail,
    taxIdReason: shared.taxIdReason,
    invoiceNumber: shared.invoiceNumber,
    selfBillingVersion: shared.selfBillingVersion,
    wiseEmail: affiliate.wiseEmail,
    preferredPayoutMethod: shared.preferredPayoutMethod,
    recipientType: shared.recipientType,
    iban: shared.iban,
    bic: shared.bic,
    stripeAccount: affiliate.stripeAccount,
    company: shared.company,
    postalAddress: shared.postalAddress,
    language: shared.language,
    displayName: shared.displayName,
    showsInLeaderboard: shared.showsInLeaderboard,
    payoutsHeldUntil: shared.payoutsHeldUntil,
    withholdingBasisPoints: shared.withholdingBasisPoints,
    state: affiliate.state,
    billingCustomerId: affiliate.billingCustomerId,
    confirmedAt: shared.confirmedAt,
    receiveNewCommissionNotifications: shared.receiveNewCommissionNotifications,
    groups: affiliate.groups,
    mailSubject: texts.mails.subject,
    token: shared.token,
    discount: shared.discount,
    archivedAt: one.archivedAt,
  },
  CAMPAIGN: {
    name: campaign.name,
    url: campaign.url,
    private: campaign.private,
    rewardType: campaign.rewardType,
    commissionPercent: campaign.commissionPercent,
    commissionAmountCents: campaign.commissionAmountCents,
    commissionCurrency: campaign.commissionCurrency,
    minimumPayoutCents: campaign.minimumPayoutCents,
    minimumPayouts: campaign.minimumPayouts,
    daysBeforeReferralsExpire: campaign.daysBeforeReferralsExpire,
    daysBeforeCommissionsAreDue: campaign.daysBeforeCommissionsAreDue,
    maxCommissions: campaign.maxCommissions,
    maxCommissionPeriodInMonths: campaign.maxCommissionPeriodInMonths,
    selfReferrals: campaign.selfReferrals,
    archivedAt: one.archivedAt,
  },
  PAYOUT: {
    affiliateId: texts.money.affiliate,
    currency: texts.money.currency,
    amountCents: texts.money.amount,
    paidAt: texts.payouts.paidAt,
    sentAt: shared.sentAt,
    failedAt: shared.failedAt,
    reference: texts.payouts.reference,
    reason: shared.reason,
  },
  COMMISSION: {
    amountCents: texts.money.amount,
    deltaCents: shared.deltaCents,
    currency: texts.money.currency,
    state: texts.money.state,
    held: texts.commissions.held,
    dueAt: texts.commissions.due,
    paidAt: texts.commissions.paid,
  },
  CUSTOMER: {},
  PROPOSAL: {
    kind: shared.kind,
    state: texts.money.state,
    effectText: shared.effectText,
    reason: shared.reason,
    decisionReason: shared.decisionReason,
  },
  STATEMENT_MONTH: { month: shared.month, count: shared.count, root: shared.root, keyId: shared.keyId },
  PROGRAM: {
    name: texts.fields.name,
    url: texts.programs.website,
    currency: texts.programs.currency,
    locale: texts.programs.locale,
    timeZone: texts.programs.timeZone,
    linkParameters: texts.programs.linkParameters,
    agentProvider: texts.programs.agentProvider,
    isShadow: texts.programs.shadow,
    shadowEndedAt: texts.programs.shadowEndedAt,
    difference: shared.difference,
    branch: shared.branch,
    acceptedAs: shared.acceptedAs,
    note: shared.note,
    slug: program.slug,
    clockAdvancedByDays: shared.clockAdvancedByDays,
    defaultPayoutMethod: shared.defaultPayoutMethod,
    payoutApprovalAboveCents: shared.payoutApprovalAboveCents,
    payoutHoldHours: shared.payoutHoldHours,
    payoutFeeBearer: shared.payoutFeeBearer,
    closesMonthsAfterDays: shared.closesMonthsAfterDays,
    readingCurrency: shared.readingCurrency,
    exchangeRates: shared.exchangeRates,
    leaderboardShows: shared.leaderboardShows,
    debtorName: shared.debtorName,
    debtorIban: shared.iban,
    debtorBic: shared.bic,
    commissionRules: shared.commissionRules,
    joinSettings: shared.joinSettings,
    payoutSchedule: shared.payoutSchedule,
    taxSettings: shared.taxSettings,
    invoiceSettings: shared.invoiceSettings,
    selfBilling: shared.selfBilling,
    mailText: shared.mailText,
    mailKind: shared.mailKind,
    terms: shared.terms,
    affiliateField: texts.settings.ownFields.title,
    asset: shared.asset,
    hasPayoutFileMark: shared.hasPayoutFileMark,
    payoutFileDecimalMark: shared.payoutFileDecimalMark,
  },
  API_KEY: {
    name: texts.fields.name,
    access: keys.access,
    profile: keys.profile,
    words: keys.words,
    revokedAt: keys.revokedAt,
  },
  MEMBER: access,
  INVITATION: access,
  WEBHOOK_ENDPOINT: {
    url: webhooks.url,
    description: webhooks.description,
    eventTypes: webhooks.events,
    filter: webhooks.condition,
    format: webhooks.format,
    disabledAt: shared.disabledAt,
    disabledReason: shared.disabledReason,
    deliveries: webhooks.deliveries,
  },
  IMPORT: { source: shared.source, finishedAt: shared.finishedAt },
  PAYOUT_RUN: {
    method: shared.method,
    currency: texts.money.currency,
    state: texts.money.state,
    payoutCount: shared.payoutCount,
    amountCents: texts.money.amount,
    reference: texts.payouts.reference,
    reason: shared.reason,
    fetchedAt: shared.fetchedAt,
    service: shared.service,
    preparedCount: shared.preparedCount,
    sentCount: shared.sentCount,
    paidCount: shared.paidCount,
    failedCount: shared.failedCount,
    returnedCount: shared.returnedCount,
    unclaimedCount: shared.unclaimedCount,
    cancelledCount: shared.cancelledCount,
  },
  COMMISSION_RULE: {
    campaignId: affiliate.campaign,
    name: texts.fields.name,
    conditions: shared.conditions,
    reward: shared.reward,
    limits: shared.limits,
    cap: shared.cap,
    appliesTo: shared.appliesTo,
    startsAt: shared.startsAt,
    endsAt: shared.endsAt,
  },
  FEED: {
    kind: texts.developers.feeds.kind,
    name: texts.fields.name,
    mode: texts.developers.feeds.mode,
    includes: texts.developers.feeds.includes,
    mapping: texts.developers.feeds.mapping,
    signatureHeader: texts.developers.feeds.signing.header,
    signatureEncoding: texts.developers.feeds.signing.encoding,
    signaturePrefix: texts.developers.feeds.signing.prefix,
    signatureAlgorithm: texts.developers.feeds.signing.algorithm,
    signatureContent: texts.developers.feeds.signing.content,
    bodyFormat: texts.developers.feeds.signing.body,
    events: texts.developers.feeds.events,
  },
  PAYOUT_SERVICE: {
    service: shared.service,
    account: shared.account,
    canPay: shared.canPay,
    pausedAt: shared.pausedAt,
    ...plainNames(['mostPerRunCents', 'mostPerDayCents', 'mostPerPayeeCents']),
    use: shared.use,
    usedForPayments: shared.usedForPayments,
    runId: shared.runId,
  },
  MAIL: { state: texts.money.state },
  REFERRAL: { endedAt: shared.referralEndedAt, affiliateId: texts.money.affiliate, reason: shared.reason },
  APPLICATION: { state: texts.money.state, reason: shared.reason, affiliateId: texts.money.affiliate },
  AFFILIATE_GROUP: { name: texts.fields.name, affiliateCount: texts.views.affiliates },
  SALE: {
    amountCents: texts.money.amount,
    ...plainNames(['items', 'billingInterval', 'paymentNumber']),
    affiliateId: texts.money.affiliate,
    reason: shared.reason,
  },
  UNATTRIBUTED_SALE: { dismissedAt: texts.sales.lost.dismissed, affiliateId: texts.money.affiliate },
}

/** Words by the values of the history, which are in lower case. */
const lowerCase = (words: Words): Words =>
  Object.fromEntries(Object.entries(words).map(([value, name]) => [value.toLowerCase(), name]))

const roles = Object.fromEntries(Object.entries(people.roles).map(([role, { name }]) => [role, name]))

/** The words of values that are not free text, by the field. */
export const valueWords: Readonly<Record<string, Words>> = {
  state: {
    ...lowerCase(texts.mails.states),
    ...lowerCase(texts.applications.states),
    ...lowerCase(texts.affiliates.states),
    ...lowerCase(texts.commissions.states),
    ...lowerCase(texts.payoutRuns.states),
  },
  method: lowerCase(texts.payoutRuns.methods),
  rewardType: lowerCase(campaign.rewardTypes),
  selfReferrals: lowerCase(campaign.selfReferralPolicies),
  private: { false: campaign.privates.no, true: campaign.privates.yes },
  access: lowerCase(keys.accesses),
  profile: lowerCase(keys.profiles),
  words: lowerCase(keys.wordings),
  acceptedAs: lowerCase(texts.shadow.as),
  role: lowerCase(roles),
  format: lowerCase(webhooks.formats),
  disabledReason: lowerCase(webhooks.reasons),
  eventTypes: { '': webhooks.allEvents },
  receiveNewCommissionNotifications: flags,
  held: flags,
}
