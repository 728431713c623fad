/** Replaces an e-mail address. The domain is reserved and receives no mail. @param id of the row that has it */
export const erasedEmail = (id: string): string => `erased-${id}@erased.invalid`
