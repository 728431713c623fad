import type { Program } from '../../generated/prisma/client.ts'
import type { Incoming } from '../../http/incoming.ts'
import { sessionSeconds } from '../../modules/access/sign-in-links/kept-sessions.ts'

/*
 * The cookie that keeps an affiliate signed in, one for each program. Scripts cannot read it, requests that begin at
 * another site do not have it, and only `/portal/session` reads it. With https, `__Host-` keeps it from other hosts.
 */

type Of = { programId: string; publicUrl: string }

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:')

const nameOf = ({ programId, publicUrl }: Of) => `${isSecure(publicUrl) ? '__Host-' : ''}tributary.portal.${programId}`

const cookie = (of: Of, value: string, seconds: number) =>
  `${nameOf(of)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(of.publicUrl) ? '; Secure' : ''}`

export const keptCookie = (of: Of, secret: string): string => cookie(of, secret, sessionSeconds)

export const clearedCookie = (of: Of): string => cookie(of, '', 0)

/** The secret of the session that the browser keeps for the program. */
export function readCookie(incoming: Pick<Incoming, 'header'>, { id }: Pick<Program, 'id'>, publicUrl: string) {
  const name = `${nameOf({ programId: id, publicUrl })}=`
  const cookies = (incoming.header('cookie') ?? '').split(/;\s*/)
  return cookies.find((one) => one.startsWith(name))?.slice(name.length) || null
}
