import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import { unauthenticated } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'

/** What a token is for. One kind is never taken for another, though one secret signs all of a program. */
export type TokenKind = {
  /** What every token of the kind starts with, so that it is recognised where it leaked, and told from a key. */
  prefix: string
  audience: string
  /** What is said of one that is over, and of one that is none. */
  over: string
  wrong: string
}

export const affiliateToken: TokenKind = {
  prefix: 'trib_at_',
  audience: 'tributary:affiliate',
  over: 'The affiliate token is over. Ask for a new one.',
  wrong: 'Invalid affiliate token.',
}

const algorithm = 'HS256'

/** What a token says, before and after its signature was looked at. `id` names this one token, where that matters. */
export type Claims = { programId: string; affiliateId: string; id?: string | undefined }

/** The token of an affiliate: the prefix of its kind and a JWT, signed with the program's secret. */
export async function signToken(
  { prefix, audience }: TokenKind,
  { programId, affiliateId, id }: Claims,
  secret: string,
  times: { issuedAt: Date; expiresAt: Date },
): Promise<string> {
  const jwt = new SignJWT({ program: programId, ...(id !== undefined && { jti: id }) })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(affiliateId)
    .setAudience(audience)
    .setIssuedAt(times.issuedAt)
    .setExpirationTime(times.expiresAt)
  return prefix + (await jwt.sign(keyOf(secret)))
}

/** A JWT counts whole seconds; rounded down, none is taken longer than was asked for. */
export function timesOf(now: Date, seconds: number): { issuedAt: Date; expiresAt: Date } {
  const issuedAt = new Date(Math.floor(now.getTime() / 1000) * 1000)
  return { issuedAt, expiresAt: new Date(issuedAt.getTime() + seconds * 1000) }
}

/** What a token says of itself; believed only to find the secret that it has to be signed with. @throws UNAUTHENTICATED */
export function readUnverified(kind: TokenKind, token: string): Claims & { expiresAt: Date } {
  if (!token.startsWith(kind.prefix)) throw invalidToken(kind)
  try {
    const { program, sub, jti, exp } = decodeJwt(token.slice(kind.prefix.length))
    if (typeof program === 'string' && isId(program) && typeof sub === 'string' && isId(sub))
      return { programId: program, affiliateId: sub, id: jti, expiresAt: new Date((exp ?? 0) * 1000) }
  } catch {
    // What is no token is as wrong as one that was tampered with.
  }
  throw invalidToken(kind)
}

/** @throws UNAUTHENTICATED unless the secret signed the token, by the one algorithm, for this use, and it is not over */
export async function verifyToken(kind: TokenKind, token: string, secret: string, now: Date): Promise<void> {
  try {
    await jwtVerify(token.slice(kind.prefix.length), keyOf(secret), {
      algorithms: [algorithm],
      audience: kind.audience,
      requiredClaims: ['exp', 'sub', 'program'],
      currentDate: now,
    })
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthenticated(kind.over)
    if (error instanceof errors.JOSEError) throw invalidToken(kind)
    throw error
  }
}

export const invalidToken = ({ wrong }: TokenKind) => unauthenticated(wrong)

const keyOf = (secret: string) => Buffer.from(secret, 'base64url')
