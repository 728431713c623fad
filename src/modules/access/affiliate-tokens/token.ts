import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import type { Viewer } from '../../../kernel/context.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'

/** A kind of token. One secret signs all tokens of a program, so the audience keeps the kinds apart. */
export type TokenKind = {
  /** The prefix of every token of the kind. It distinguishes them from API keys, and makes leaked ones recognisable. */
  prefix: string
  audience: string
  expiredMessage: string
  invalidMessage: string
}

export const affiliateToken: TokenKind = {
  prefix: 'trib_at_',
  audience: 'tributary:affiliate',
  expiredMessage: 'The affiliate token has expired. Request a new one.',
  invalidMessage: 'Invalid affiliate token.',
}

const algorithm = 'HS256'

/**
 * The claims of a token. `id` is that of a ticket, which can be used only once, or of the session that it began. With a
 * `viewer`, the token shows what the affiliate sees, and changes nothing.
 */
export type Claims = {
  programId: string
  affiliateId: string
  id?: string | undefined
  viewer?: Viewer | undefined
}

/** Creates a token: the prefix of its kind, then a JWT that is signed with the program's secret. */
export async function signToken(
  { prefix, audience }: TokenKind,
  { programId, affiliateId, id, viewer }: Claims,
  secret: string,
  times: { issuedAt: Date; expiresAt: Date },
): Promise<string> {
  const jwt = new SignJWT({ program: programId, ...(id !== undefined && { jti: id }), ...(viewer && { viewer }) })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(affiliateId)
    .setAudience(audience)
    .setIssuedAt(times.issuedAt)
    .setExpirationTime(times.expiresAt)
  return prefix + (await jwt.sign(keyOf(secret)))
}

/** JWTs have whole seconds. Rounded down, no token lives longer than requested. */
export function timesOf(now: Date, seconds: number): { issuedAt: Date; expiresAt: Date } {
  const issuedAt = new Date(Math.floor(now.getTime() / 1000) * 1000)
  return { issuedAt, expiresAt: new Date(issuedAt.getTime() + seconds * 1000) }
}

/** Reads the claims without verifying them, to find the secret to verify the token with. @throws UNAUTHENTICATED */
export function readUnverified(kind: TokenKind, token: string): Claims & { expiresAt: Date } {
  if (!token.startsWith(kind.prefix)) throw invalidToken(kind)
  try {
    const { program, sub, jti, exp, viewer } = decodeJwt(token.slice(kind.prefix.length))
    if (typeof program === 'string' && isId(program) && typeof sub === 'string' && isId(sub))
      return {
        programId: program,
        affiliateId: sub,
        id: jti,
        viewer: typeof viewer === 'string' ? viewer : undefined,
        expiresAt: new Date((exp ?? 0) * 1000),
      }
  } catch {
    // A malformed token gets the same error as a forged one.
  }
  throw invalidToken(kind)
}

/** @throws UNAUTHENTICATED if the signature, the algorithm or the audience is wrong, or it has expired */
export async function verifyToken(
  kind: TokenKind,
  token: string,
  [secret, ...others]: readonly string[],
  now: Date,
): Promise<void> {
  if (secret === undefined) throw invalidToken(kind)
  try {
    await jwtVerify(token.slice(kind.prefix.length), keyOf(secret), {
      algorithms: [algorithm],
      audience: kind.audience,
      requiredClaims: ['exp', 'sub', 'program'],
      currentDate: now,
    })
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed && others.length > 0)
      return await verifyToken(kind, token, others, now)
    if (error instanceof errors.JWTExpired) throw unauthenticated(kind.expiredMessage)
    if (error instanceof errors.JOSEError) throw invalidToken(kind)
    throw error
  }
}

export const invalidToken = ({ invalidMessage }: TokenKind) => unauthenticated(invalidMessage)

const keyOf = (secret: string) => Buffer.from(secret, 'base64url')
