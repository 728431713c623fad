import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import { unauthenticated } from '../errors.ts'
import { isId } from '../ids.ts'

/** Every token starts with this, so that it is recognised where it leaked, and told from a key. */
export const tokenPrefix = 'trib_at_'

const algorithm = 'HS256'
const audience = 'tributary:affiliate'

/** What a token says, before and after its signature was looked at. */
export type Claims = { programId: string; affiliateId: string }

/** The token of an affiliate: `trib_at_` and a JWT, signed with the program's secret. */
export async function signToken(
  { programId, affiliateId }: Claims,
  secret: string,
  times: { issuedAt: Date; expiresAt: Date },
): Promise<string> {
  const jwt = await new SignJWT({ program: programId })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(affiliateId)
    .setAudience(audience)
    .setIssuedAt(times.issuedAt)
    .setExpirationTime(times.expiresAt)
    .sign(keyOf(secret))
  return tokenPrefix + jwt
}

/** What a token says of itself; believed only to find the secret that it has to be signed with. @throws UNAUTHENTICATED */
export function readUnverified(token: string): Claims {
  try {
    const { program, sub } = decodeJwt(token.slice(tokenPrefix.length))
    if (typeof program === 'string' && isId(program) && typeof sub === 'string' && isId(sub))
      return { programId: program, affiliateId: sub }
  } catch {
    // What is no token is as wrong as one that was tampered with.
  }
  throw invalidToken()
}

/** @throws UNAUTHENTICATED unless the secret signed the token, by the one algorithm, for this use, and it is not over */
export async function verifyToken(token: string, secret: string, now: Date): Promise<void> {
  try {
    await jwtVerify(token.slice(tokenPrefix.length), keyOf(secret), {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['exp', 'sub', 'program'],
      currentDate: now,
    })
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthenticated('The affiliate token is over. Ask for a new one.')
    if (error instanceof errors.JOSEError) throw invalidToken()
    throw error
  }
}

export const invalidToken = () => unauthenticated('Invalid affiliate token.')

const keyOf = (secret: string) => Buffer.from(secret, 'base64url')
