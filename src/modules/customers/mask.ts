import type { Actor } from '../../kernel/context.ts'

const hidden = '•••'

const initial = (word: string) => [...word][0] ?? ''

/** An e-mail as affiliates see it: `ada@example.com` becomes `a•••@example.com`. A single letter is hidden. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at === -1) return hidden
  const local = email.slice(0, at)
  return `${[...local].length > 1 ? initial(local) : ''}${hidden}${email.slice(at)}`
}

/** A customer's name as affiliates see it: `Ada Lovelace` becomes `A••• L•••`. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => initial(word) + hidden)
    .join(' ')

type Viewer = { actor: Actor }

/** A customer's e-mail, masked if the viewer is an affiliate. Every field that shows one must use this. */
export const shownEmail = ({ actor }: Viewer, email: string): string =>
  actor.kind === 'affiliate' ? maskEmail(email) : email

/** A customer's name, masked if the viewer is an affiliate. Every field that shows one must use this. */
export const shownName = ({ actor }: Viewer, name: string | null): string | null =>
  name !== null && actor.kind === 'affiliate' ? maskName(name) : name
