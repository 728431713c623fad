// The service by hand: every statement is prepared, and the API key is looked up in a statement of its own.
import fastify from 'fastify'
import { reportConversion } from './conversions.mjs'
import { announce, authentication, keyHash, pagination } from './http.mjs'
import { affiliate, findAffiliate, lists } from './lists.mjs'
import { trackVisit } from './visits.mjs'

/**
 * Listens on any port.
 *
 * @param {Pick<import('pg').Pool, 'query' | 'connect'>} pool
 */
export async function serve(pool) {
  const app = fastify()

  /** @param {import('fastify').FastifyRequest} request @param {import('fastify').FastifyReply} reply */
  async function authenticate(request, reply) {
    const hash = keyHash(request.headers.authorization)
    const { rows } = await pool.query({ ...authentication, values: [hash] })
    if (!rows[0]) return reply.code(401).send({ error: 'Invalid API key.' })
    request.caller = rows[0]
  }

  app.decorateRequest('caller', null)
  const authenticated = { onRequest: authenticate }

  for (const { path, page, count, resource } of lists) {
    app.get(path, authenticated, async ({ query, caller }) => {
      const limit = Number(query.limit ?? 25)
      const number = Number(query.page ?? 1)
      const [{ rows }, counted] = await Promise.all([
        pool.query({ ...page, values: [caller.program_id, limit, (number - 1) * limit] }),
        pool.query({ ...count, values: [caller.program_id] }),
      ])
      return { pagination: pagination(number, limit, rows.length, counted.rows[0].count), data: rows.map(resource) }
    })
  }

  app.get('/v1/affiliates/:id', authenticated, async ({ params, caller }, reply) => {
    const { rows } = await pool.query({ ...findAffiliate, values: [caller.program_id, params.id] })
    return rows[0] ? affiliate(rows[0]) : reply.code(404).send({ error: 'Not found.' })
  })

  app.get('/v1/program', authenticated, async ({ caller }) => ({ name: caller.name }))

  app.post('/v1/conversions', authenticated, async ({ body, caller, id }, reply) => {
    const conversion = await reportConversion(pool, caller, body, id)
    return conversion ? reply.code(200).send(conversion) : reply.code(422).send({ error: 'No active affiliate.' })
  })

  app.post('/track/visits', async ({ body }, reply) => {
    const visit = await trackVisit(pool, body)
    return visit ? reply.code(201).send(visit) : reply.code(404).send({ error: 'Not found.' })
  })

  await app.listen({ port: 0, host: '127.0.0.1' })
  announce(app.server)
}
