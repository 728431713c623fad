// PostGraphile 5 with its fastest preset. It needs Node.js 22 or later.
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { announce, authentication, createPool, keyHash } from './http.mjs'

const pool = createPool()
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  grafserv: { watch: false, graphiql: false, graphqlPath: '/graphql' },
  grafast: {
    explain: false,
    context: async ({ node }) => {
      const { rows } = await pool.query({ ...authentication, values: [keyHash(node?.req.headers.authorization)] })
      if (!rows[0]) throw new Error('Invalid API key.')
      return { programId: rows[0].program_id }
    },
  },
})
const serv = instance.createServ(grafserv)
const server = createServer()
await serv.addTo(server)
server.listen(0, '127.0.0.1', () => announce(server))
