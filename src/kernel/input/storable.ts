/** PostgreSQL cannot store NUL or an unpaired surrogate. */
export const isStorable = (value: string) => !value.includes('\u0000') && value.isWellFormed()

/** The text with replacement characters for what PostgreSQL cannot store. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()
