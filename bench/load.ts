import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const connections = 16

/** A request. Its path and its body can contain the number of the request: see numbered.ts. */
export type Request = { method: 'GET' | 'POST'; path: string; body?: string; modulo?: number }

export type Measured = { requests: number; seconds: number; latencyMs: number }

export type LoadGenerator = {
  /** Sends the request as often as the server answers, by default over 16 connections. @throws if an answer is not a success */
  send(
    address: string,
    request: Request,
    headers: Record<string, string>,
    seconds: number,
    over?: number,
  ): Promise<Measured>
  stop(): void
}

const script = fileURLToPath(new URL('peers/load.mjs', import.meta.url))

/** @param first the number of its first request */
export function startLoadGenerator(first = 0): LoadGenerator {
  if (!existsSync(fileURLToPath(new URL('peers/node_modules', import.meta.url))))
    throw new Error('Install the peers first: npm ci --prefix bench/peers')
  const child = fork(script, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let next = first
  return {
    async send(address, { path, ...request }, headers, seconds, over = connections) {
      const answer = await ask(child, { url: address + path, ...request, headers, connections: over, seconds, next })
      next = answer.next
      if (answer.failed > 0 || answer.requests === 0)
        throw new Error(`${request.method} ${path}: ${answer.failed} of ${answer.requests + answer.failed} failed.`)
      return answer
    },
    stop: () => void child.kill(),
  }
}

type Answer = Measured & { failed: number; next: number }

const ask = (child: ChildProcess, load: object): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The load generator ended.'))
    child.once('exit', onExit)
    child.once('message', (answer) => {
      child.off('exit', onExit)
      resolve(answer as Answer)
    })
    child.send(load)
  })
