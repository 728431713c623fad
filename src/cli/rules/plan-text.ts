type Money = { formatted: string }
type Earnings = { amount: Money; commissions: number }

/** A plan as the commands ask for it. */
export type ShownPlan = {
  plan_id: string
  since: string
  sales: number
  changed_sales: number
  changes: { kind: string; name: string; campaign: { name: string } }[]
  currencies: {
    currency: string
    before: Earnings
    after: Earnings
    difference: Money
    affiliates: { affiliate: { email: string }; before: Money; after: Money; difference: Money }[]
  }[]
  largest_changes: {
    sale_id: string
    before: Money | null
    after: Money | null
    why_before: string
    why_after: string
  }[]
}

const amount = (money: Money | null) => money?.formatted ?? 'nothing'

/** A plan for people. */
export function planText({ changes, since, sales, changed_sales, currencies, largest_changes }: ShownPlan): string {
  if (changes.length === 0) return 'The program has these rules already. Nothing would change.'
  const lines = [
    ...changes.map(({ kind, name, campaign }) => `${kind.toLowerCase().padEnd(8)} ${name} (${campaign.name})`),
    '',
    `Of ${sales} sales since ${since.slice(0, 10)}, ${changed_sales} would earn something else.`,
  ]
  for (const { before, after, difference, affiliates } of currencies) {
    lines.push(`${before.amount.formatted} before, ${after.amount.formatted} after: ${difference.formatted}`)
    for (const { affiliate, before: old, after: own, difference: change } of affiliates)
      lines.push(`  ${affiliate.email}: ${old.formatted}, then ${own.formatted}: ${change.formatted}`)
  }
  if (largest_changes.length > 0) lines.push('', 'The sales that would change most:')
  for (const { sale_id, before, after, why_before, why_after } of largest_changes)
    lines.push(
      `  ${sale_id}: ${amount(before)}, then ${amount(after)}`,
      `    before: ${why_before}`,
      `    after: ${why_after}`,
    )
  return lines.join('\n')
}
