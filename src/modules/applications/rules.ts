/** A rule that decides applications. All of its conditions have to hold; a rule without conditions always holds. */
export type JoinRule = {
  decision: 'approve' | 'reject'
  reason: string
  emailDomains?: string[] | undefined
  isDisposable?: boolean | undefined
  isInvited?: boolean | undefined
  isInvitedByAffiliate?: boolean | undefined
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

function holds(rule: JoinRule, judged: Judged): boolean {
  const { emailDomains, isDisposable, isInvited, isInvitedByAffiliate, field, values = [] } = rule
  const domain = judged.emailKey.slice(judged.emailKey.lastIndexOf('@') + 1)
  if (emailDomains && !emailDomains.some((one) => one.toLowerCase() === domain)) return false
  if (isDisposable !== undefined && isDisposable !== judged.isDisposable) return false
  if (isInvited !== undefined && isInvited !== judged.isInvited) return false
  if (isInvitedByAffiliate !== undefined && isInvitedByAffiliate !== (judged.referredById !== null)) return false
  const given = field && judged.fields[field]?.toLowerCase()
  return field === undefined || values.some((value) => value.toLowerCase() === given)
}
