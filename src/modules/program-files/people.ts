type RowOfPerson = { person_id: string; email: string; person_name: string; role?: string }

export type Left = { email: string; name: string; role: string }

/** Gives memberships and saved views to this installation's people. @param idOf a person's id, by e-mail address */
export function joinPeople(idOf: (email: string) => string | undefined) {
  const left: Left[] = []
  let joined = 0
  return {
    /** The row with the person of this installation; null without one. */
    convert(text: string): string | null {
      const { person_id: _, ...row } = JSON.parse(text) as RowOfPerson
      const id = idOf(row.email)
      if (row.role !== undefined && id === undefined)
        left.push({ email: row.email, name: row.person_name, role: row.role })
      if (row.role !== undefined && id !== undefined) joined += 1
      return id === undefined ? null : JSON.stringify({ ...row, person_id: id })
    },
    /** Members who have no account here. */
    left,
    joined: () => joined,
  }
}
