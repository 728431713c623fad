/** Why another rule than the one that applied did not. */
const ruleMisses = {
  not_started: 'it had not started',
  ended: 'it had ended',
  customer_not_new: 'it is for customers who came after its start',
  other_affiliate: 'it is for other affiliates',
  other_group: 'it is for other groups of affiliates',
  other_coupon: 'it is for other coupon codes',
  other_product: 'it is for other products',
  other_interval: 'it is for another billing interval',
  other_payment: 'it is for another payment of the customer',
  other_amount: 'it is for other amounts or currencies',
  less_specific: 'it is less specific',
  older: 'it is older',
}

/** Sentences of why that affiliates do not see, so that they are in English alone. */
export const whyOfStaff = {
  dropped: ({ problems }: { problems: string[] }) => `Left out of the report: ${problems.join('; ')}.`,
  ruleMissed: ({ name, miss }: { name: string; miss: keyof typeof ruleMisses }) =>
    `The rule "${name}" does not: ${ruleMisses[miss]}.`,
}
