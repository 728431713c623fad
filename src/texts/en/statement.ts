/**
 * A statement on paper. The other languages are typed as this one. `kinds`, `reasons` and `line` are also what is
 * signed, in English: a change of them changes what later statements say, and never an earlier one.
 */
export const statement = {
  title: (number: number, month: string) => `Statement ${number} of ${month}`,
  amounts: (program: string, currency: string) => `${program}, amounts in ${currency}`,
  sandbox: 'This is a statement of a sandbox: nothing of it was ever owed.',
  opening: 'Opening balance',
  closing: 'Closing balance',
  page: (month: string, page: number) => `${month}, page ${page}`,
  sandboxPage: (page: string) => `${page}, sandbox`,
  verify: (url: string) => `Verify the file of this statement: ${url}`,
  kinds: {
    commission: 'Commission',
    lead: 'Commission for a lead',
    bonus: 'Bonus',
    correction: 'Correction',
    refund: 'Refund',
    refund_reversed: 'Refund reversed',
    amended: 'Amount changed by hand',
    recalculated: 'Calculated again',
    cancelled: 'Cancelled',
    restored: 'No longer cancelled',
    moved_away: 'Now belongs to another affiliate',
    moved_here: 'Came from another affiliate',
  },
  reasons: {
    max_commissions_reached: 'the customer has earned the most commissions that the rule allows',
    commission_period_over: "the customer's time of commissions is over",
    amount_rounds_to_zero: 'the amount rounds to nothing',
    self_referral: 'the affiliate bought it',
    rule_earns_nothing: 'the rule says that such sales earn nothing',
    cap_reached: 'the most that the rule pays was reached',
    attribution_undone: 'the sale does not belong to the affiliate any more',
  },
  line: {
    sale: (name: string, month: string) => `the sale ${name} of ${month}`,
    forSale: (kind: string, sale: string) => `${kind} for ${sale}`,
    ofMonth: (kind: string, month: string) => `${kind} of ${month}`,
    percent: (percent: string, amount: string) => `: ${percent} of ${amount}`,
    fixed: ': a fixed amount',
    parts: (count: number) => `: ${count} parts`,
    version: (version: number) => ` by version ${version} of the rules`,
    changed: (from: string, to: string) => `, from ${from} to ${to}`,
    nothing: (sale: string, amount: string, reason: string) => `Earned nothing: ${sale}, ${amount}, because ${reason}`,
    payment: (amount: string) => `Payment of ${amount}`,
    reference: (reference: string) => `, reference ${reference}`,
    fee: (amount: string) => `, fee of ${amount}`,
    received: (amount: string) => `, of which ${amount} arrives`,
    rate: (rate: string) => ` at a rate of ${rate}`,
    returned: (amount: string) => `A payment of ${amount} did not arrive, or was taken back`,
    withheld: (amount: string) => `Tax of ${amount}, withheld from the payment`,
    notWithheld: (amount: string) => `Tax of ${amount} that is not withheld any more`,
  },
}

export type StatementTexts = typeof statement
