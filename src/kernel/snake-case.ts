const known = new Map<string, string>()

/** The name of a field in the database and over REST: `programId` is `program_id`. */
export function snakeCase(field: string): string {
  const name = known.get(field) ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  known.set(field, name)
  return name
}
