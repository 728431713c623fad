import { isId } from '../../kernel/ids.ts'

// Services know payments, batches and payees by our ids without the hyphens, because some take only 32 characters.

export const ourIdOf = (id: string): string => id.replaceAll('-', '')

/** With the hyphens, as some services want it. */
export const uuidOf = (ourId: string): string => ourId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Our id, from the text that a service sent. Null if the text is not an id of ours. */
export function idOf(ourId: string | null): string | null {
  const id = uuidOf(ourId?.toLowerCase() ?? '')
  return isId(id) ? id : null
}
