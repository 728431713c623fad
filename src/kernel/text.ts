const snakeNames = new Map<string, string>()

/** The name of a field in the database and over REST: `programId` is `program_id`. */
export function snakeCase(field: string): string {
  const name = snakeNames.get(field) ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakeNames.set(field, name)
  return name
}

/** "leads", "deliveries" */
export const pluralOf = (singular: string): string => `${singular.replace(/([^aeiou])y$/, '$1ie')}s`

/** PostgreSQL cannot store NUL or an unpaired surrogate. */
export const isStorable = (value: string) => !value.includes('\u0000') && value.isWellFormed()

export const storableText = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()

const maxRepeated = 100

export const excerpt = (text: string, maxLength = maxRepeated): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`

/** A character that shows something: no blank, and none without a width. */
const visible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text shows nothing: it is empty, or has only blanks and invisible characters. */
export const isBlankText = (text: string): boolean => !visible.test(text)
