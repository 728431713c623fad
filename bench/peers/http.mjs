// What the servers share: the connection pool, the caller's key, and the start.
import { createHash } from 'node:crypto'
import pg from 'pg'

/** As many connections as Tributary's pool has, with the same settings of the session. */
export const poolSize = 10
const sessionSettings = '-c TimeZone=UTC -c jit=off'

export const createPool = () =>
  new pg.Pool({ connectionString: process.env.DATABASE_URL, max: poolSize, options: sessionSettings })

/**
 * The hash of the API key of an Authorization header, or null.
 *
 * @param {string | undefined} header
 */
export function keyHash(header) {
  const [, scheme, credentials = ''] = /^(basic|bearer) +(\S+)$/i.exec(header ?? '') ?? []
  if (!scheme) return null
  const isBasic = scheme.toLowerCase() === 'basic'
  const secret = isBasic ? Buffer.from(credentials, 'base64').toString().replace(/:$/, '') : credentials
  return createHash('sha256').update(secret).digest('hex')
}

export const authentication = {
  name: 'authentication',
  text: `select k.id, k.program_id, k.access, k.profile, p.name, p.currency
    from api_keys k join programs p on p.id = k.program_id where k.secret_hash = $1 and k.revoked_at is null`,
}

/** @param {number} number @param {number} limit @param {number} count @param {number} total */
export function pagination(number, limit, count, total) {
  const pages = Math.ceil(total / limit)
  return {
    previous_page: number > 1 ? number - 1 : null,
    current_page: number,
    next_page: number < pages ? number + 1 : null,
    count,
    limit,
    total_pages: pages,
    total_count: total,
  }
}

/** Tells the benchmark the server's address. @param {{ address(): any }} server */
export function announce(server) {
  console.log(JSON.stringify({ msg: 'service ready', address: `http://127.0.0.1:${server.address().port}` }))
}
