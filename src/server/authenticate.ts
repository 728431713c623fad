import { createHash, timingSafeEqual } from 'node:crypto'
import type { ApiKey, PrismaClient, Program } from '../generated/prisma/client.ts'
import type { Actor } from '../kernel/context.ts'
import { unauthenticated } from '../kernel/errors.ts'
import { findAffiliateByToken, isAffiliateToken } from '../modules/access/affiliate-tokens/service.ts'
import { findKeyBySecret } from '../modules/access/api-keys/service.ts'
import { findProgramByName } from '../modules/programs/service.ts'

/** The caller of a request, and the program that the request is about. */
export type Identity = { actor: Actor; program: Program | null; apiKey: ApiKey | null }

/** @param settings whether the operator token and affiliate tokens are accepted; if not, they are invalid API keys */
export type Authenticate = (headers: Headers, settings: { acceptsTokens: boolean }) => Promise<Identity>

/**
 * Supports `Basic`, with the API key as user name and an empty password, and `Bearer`. The operator token and affiliate
 * tokens are Bearer tokens. The operator names a program by the X-Program-Id header, with its id or its slug.
 *
 * @throws UNAUTHENTICATED; NOT_FOUND when the operator names an unknown program
 */
export function createAuthenticate(db: PrismaClient, adminToken: string, now: () => Date): Authenticate {
  const adminDigest = digest(adminToken)
  return async (headers, { acceptsTokens }) => {
    const { scheme, secret } = readAuthorization(headers.get('authorization'))
    if (acceptsTokens && scheme === 'bearer' && isAffiliateToken(secret)) {
      const { affiliate, program } = await findAffiliateByToken({ db, now }, secret)
      return { actor: { kind: 'affiliate', affiliateId: affiliate.id }, program, apiKey: null }
    }
    if (acceptsTokens && scheme === 'bearer' && timingSafeEqual(digest(secret), adminDigest)) {
      const named = headers.get('x-program-id')
      return {
        actor: { kind: 'operator' },
        program: named ? await findProgramByName({ db }, named) : null,
        apiKey: null,
      }
    }
    const key = await findKeyBySecret({ db }, secret)
    if (!key) throw unauthenticated()
    const { program, ...apiKey } = key
    return { actor: { kind: 'api_key', id: apiKey.id, access: apiKey.access }, program, apiKey }
  }
}

const digest = (secret: string) => createHash('sha256').update(secret).digest()

function readAuthorization(header: string | null): { scheme: 'basic' | 'bearer'; secret: string } {
  const [, scheme, credentials] = /^(basic|bearer) +(\S+)\s*$/i.exec(header ?? '') ?? []
  if (!scheme || !credentials) throw unauthenticated()
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', secret: credentials }
  // The colon may be missing. A password is rejected.
  const secret = Buffer.from(credentials, 'base64').toString('utf8').replace(/:$/, '')
  if (!secret || secret.includes(':')) throw unauthenticated()
  return { scheme: 'basic', secret }
}
