/** A rule that decides applications. All of its conditions have to hold; a rule without conditions always holds. */
export type JoinRule = {
  decision: 'approve' | 'reject'
  reason: string
  emailDomains?: string[] | undefined
  disposable?: boolean | undefined
  field?: string | undefined
  values?: string[] | undefined
}

export type Judged = { emailKey: string; isDisposable: boolean; fields: Readonly<Record<string, string>> }

/** The first rule that holds; undefined if a person has to decide. */
export const ruleFor = (rules: readonly JoinRule[], application: Judged): JoinRule | undefined =>
  rules.find((rule) => holds(rule, application))

function holds({ emailDomains, disposable, field, values = [] }: JoinRule, { emailKey, isDisposable, fields }: Judged) {
  const domain = emailKey.slice(emailKey.lastIndexOf('@') + 1)
  if (emailDomains && !emailDomains.some((one) => one.toLowerCase() === domain)) return false
  if (disposable !== undefined && disposable !== isDisposable) return false
  const given = field && fields[field]?.toLowerCase()
  return field === undefined || values.some((value) => value.toLowerCase() === given)
}
