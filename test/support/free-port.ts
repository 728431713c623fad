import { createServer } from 'node:net'

/** A port of 127.0.0.1 that nothing listens on. */
export const findFreePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
