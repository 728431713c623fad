import type { Actor } from '../../kernel/context.ts'

const hidden = '•••'

const initial = (word: string) => [...word][0] ?? ''

/** What an affiliate may see of a customer's e-mail: `ada@example.com` is `a•••@example.com`. One letter is hidden too. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at === -1) return hidden
  const local = email.slice(0, at)
  return `${[...local].length > 1 ? initial(local) : ''}${hidden}${email.slice(at)}`
}

/** And of a name: `Ada Lovelace` is `A••• L•••`. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => initial(word) + hidden)
    .join(' ')

type Asking = { actor: Actor }

/** A customer's e-mail as whoever asks may see it. Every field that shows one goes through here. */
export const shownEmail = ({ actor }: Asking, email: string): string =>
  actor.kind === 'affiliate' ? maskEmail(email) : email

/** A customer's name as whoever asks may see it. */
export const shownName = ({ actor }: Asking, name: string | null): string | null =>
  name !== null && actor.kind === 'affiliate' ? maskName(name) : name
