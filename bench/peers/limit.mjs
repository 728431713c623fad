// The limit: node:http and one prepared statement, whose JSON is sent as it is.
import { createServer } from 'node:http'
import { announce, createPool, keyHash, pagination } from './http.mjs'
import { statements } from './limit-statements.mjs'

const pool = createPool()

/** @param {string} url @param {string} hash */
async function answer(url, hash) {
  const [path = '', query = ''] = url.split('?')
  const [, , noun = '', id] = path.split('/')
  if (noun === 'program') return read(statements.program, [hash])
  if (id) return read(statements.affiliate, [hash, id])
  const statement = {
    affiliates: statements.affiliates,
    commissions: statements.commissions,
    referrals: statements.referrals,
  }[noun]
  if (!statement) return null
  const parameters = new URLSearchParams(query)
  const limit = Number(parameters.get('limit') ?? 25)
  const page = Number(parameters.get('page') ?? 1)
  const { rows } = await pool.query({ ...statement, values: [hash, limit, (page - 1) * limit] })
  const { data, count } = rows[0]
  const size = Math.min(limit, Math.max(0, count - (page - 1) * limit))
  return `{"pagination":${JSON.stringify(pagination(page, limit, size, count))},"data":${data}}`
}

/** @param {{ name: string, text: string }} statement @param {string[]} values */
async function read(statement, values) {
  const { rows } = await pool.query({ ...statement, values })
  return rows[0]?.data ?? null
}

const server = createServer(async (request, response) => {
  const hash = keyHash(request.headers.authorization)
  const body = hash && (await answer(request.url ?? '', hash))
  response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' })
  response.end(body ?? '{}')
}).listen(0, '127.0.0.1', () => announce(server))
