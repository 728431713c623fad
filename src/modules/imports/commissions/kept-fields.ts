/** The note of commissions that are imported into a shadow. */
export const keptForShadow = 'Kept to be compared with what the shadow computes. It is imported when the shadow ends.'
