// Prints a port on which nothing listens. An earlier run may have left a server on any fixed one.
import { createServer } from 'node:net'

const server = createServer().listen(0, '127.0.0.1', () => {
  console.log(server.address().port)
  server.close()
})
