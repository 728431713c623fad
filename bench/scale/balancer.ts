import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../../test/support/free-port.ts'

/** HAProxy in front of the services at the given addresses. It leaves out those whose /readyz is not 200. */
export async function startBalancer(folder: string, addresses: readonly string[]) {
  const port = await findFreePort()
  const file = join(folder, 'haproxy.cfg')
  const servers = addresses.map(
    (address, n) => `  server s${n} ${new URL(address).host} check inter 200ms fall 1 rise 1`,
  )
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 5s
  # A check that is slow on a busy machine is not a failure.
  timeout check 5s
  timeout client 60s
  timeout server 60s
  # A request that no server has received is sent to another one.
  retries 5
  option redispatch 1
  retry-on conn-failure
  option forwardfor
listen tributary
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /readyz
${servers.join('\n')}
`,
  )
  const child = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve())
    child.once('error', () => reject(new Error('haproxy is not installed: apt-get install haproxy')))
  })
  await Promise.race([waitUntilReady(`http://127.0.0.1:${port}`), ended])
  return {
    address: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Waits until the service at the address is ready. */
export async function waitUntilReady(address: string): Promise<void> {
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50))
}
