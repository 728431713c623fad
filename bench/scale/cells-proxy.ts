import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '../../test/support/free-port.ts'
import { waitUntilReady } from './balancer.ts'

/** The name of an installation, which is the mark of its keys, and its address. */
type Cell = { name: string; address: string }

/** HAProxy in front of several installations. It leads each request to the one that has the program. The first takes the rest. */
export async function startCellsProxy(folder: string, cells: readonly Cell[]) {
  const port = await findFreePort()
  const [cellsMap, movedMap, socket] = ['cells.map', 'moved.map', 'admin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const prefixes = cells.flatMap(({ name }) => [`trib_sk_${name}_ ${name}`, `trib_pk_${name}_ ${name}`])
  await writeFile(cellsMap, `${prefixes.join('\n')}\n`)
  await writeFile(movedMap, '')
  const backends = cells.map(({ name, address }) => `backend ${name}\n  server s ${new URL(address).host}`)
  await writeFile(
    join(folder, 'cells.cfg'),
    `global
  stats socket ${socket} level admin
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend programs
  bind 127.0.0.1:${port}
  option http-buffer-request
  # What names the program: the key, as Bearer or as Basic, that of the tracking endpoints, X-Program-Id, or the slug of a link.
  acl is_basic req.hdr(authorization) -m beg -i "basic "
  acl has_name var(txn.name) -m found
  http-request set-var(txn.name) req.hdr(x-program-id)
  http-request set-var(txn.name) req.hdr(authorization),word(2,' ') if !has_name !is_basic
  http-request set-var(txn.name) req.hdr(authorization),word(2,' '),b64dec,word(1,:) if !has_name is_basic
  http-request set-var(txn.name) path,field(3,/) if !has_name { path_beg /r/ }
  http-request set-var(txn.name) urlp(key) if !has_name
  http-request set-var(txn.name) req.body,json_query('$.key') if !has_name
  # Programs that were moved, then the marks of keys, then the rest.
  acl has_cell var(txn.cell) -m found
  http-request set-var(txn.cell) var(txn.name),sha2(256),hex,lower,map_str(${movedMap}) if has_name
  http-request set-var(txn.cell) var(txn.name),map_str(${movedMap}) if has_name !has_cell
  http-request set-var(txn.cell) var(txn.name),map_beg(${cellsMap}) if has_name !has_cell
  use_backend %[var(txn.cell)] if has_cell
  default_backend ${cells[0]?.name}
${backends.join('\n')}
`,
  )
  const child = spawn('haproxy', ['-db', '-q', '-f', join(folder, 'cells.cfg')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve())
    child.once('error', () => reject(new Error('haproxy is not installed: apt-get install haproxy')))
  })
  const address = `http://127.0.0.1:${port}`
  await Promise.race([waitUntilReady(address), ended])
  return {
    address,
    /** Adds lines of program-routes to the map of the running proxy. */
    addRoutes: async (lines: readonly string[]) => {
      for (const line of lines) await command(socket, `add map ${movedMap} ${line}`)
    },
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const command = (socket: string, text: string) =>
  new Promise<void>((resolve, reject) => {
    const answer: Buffer[] = []
    const client = connect(socket, () => client.end(`${text}\n`))
    client.on('data', (data) => answer.push(data))
    client.once('error', reject)
    client.once('close', () => {
      const said = Buffer.concat(answer).toString().trim()
      if (said) reject(new Error(`HAProxy: ${said}`))
      else resolve()
    })
  })
