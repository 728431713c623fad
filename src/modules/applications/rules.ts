/** A rule that decides applications. All of its conditions have to hold; a rule without conditions always holds. */
export type JoinRule = {
  decision: 'approve' | 'reject'
  reason: string
  emailDomains?: string[] | undefined
  disposable?: boolean | undefined
  invited?: boolean | undefined
  invitedByAffiliate?: boolean | undefined
  field?: string | undefined
  values?: string[] | undefined
}

export type Judged = {
  emailKey: string
  isDisposable: boolean
  isInvited: boolean
  referredById: string | null
  fields: Readonly<Record<string, string>>
}

/** The first rule that holds; undefined if a person has to decide. */
export const ruleFor = (rules: readonly JoinRule[], application: Judged): JoinRule | undefined =>
  rules.find((rule) => holds(rule, application))

function holds(rule: JoinRule, { emailKey, isDisposable, isInvited, referredById, fields }: Judged): boolean {
  const { emailDomains, disposable, invited, invitedByAffiliate, field, values = [] } = rule
  const domain = emailKey.slice(emailKey.lastIndexOf('@') + 1)
  if (emailDomains && !emailDomains.some((one) => one.toLowerCase() === domain)) return false
  if (disposable !== undefined && disposable !== isDisposable) return false
  if (invited !== undefined && invited !== isInvited) return false
  if (invitedByAffiliate !== undefined && invitedByAffiliate !== (referredById !== null)) return false
  const given = field && fields[field]?.toLowerCase()
  return field === undefined || values.some((value) => value.toLowerCase() === given)
}
