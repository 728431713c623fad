export type Health = {
  /** The process runs. */
  alive(): Response
  /** Requests can be answered: the database answers, and the service is not stopping. */
  ready(): Promise<Response>
  /** From now on not ready, so that whoever sends requests sends them elsewhere. */
  stop(): void
}

export function createHealth(ping: () => Promise<void>): Health {
  let stopping = false
  const status = async () => {
    if (stopping) return 'stopping'
    return ping().then(
      () => 'ready',
      () => 'database unavailable',
    )
  }
  return {
    alive: () => Response.json({ status: 'alive' }),
    ready: async () => {
      const found = await status()
      return Response.json({ status: found }, { status: found === 'ready' ? 200 : 503 })
    },
    stop: () => {
      stopping = true
    },
  }
}
