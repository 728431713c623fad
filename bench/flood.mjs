// A flood, in a process of its own: sends requests over a number of connections until it is killed. Each line of its output is
// how many were answered in a second, by status.
import { Agent, request } from 'node:http'

/** @typedef {{ method: 'GET' | 'POST', path: string, body?: string, headers: Record<string, string>, leavesAfterMs?: number }} Sent */

const [address = '', connections = '', text = ''] = process.argv.slice(2)
/** @type {Sent} */
const { method, path, body, headers, leavesAfterMs } = JSON.parse(text)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
/** @type {Record<string, number>} */
let answers = {}
let number = Date.now()

const send = () => {
  number += 1
  const sent = request(address + path, { method, headers, agent }, (response) => {
    response.resume().on('end', () => {
      const status = String(response.statusCode)
      answers[status] = (answers[status] ?? 0) + 1
      setImmediate(send)
    })
  })
  sent.on('error', () => setTimeout(send, 10))
  sent.end(body?.replaceAll('NUMBER', String(number)))
  if (leavesAfterMs !== undefined) {
    sent.on('finish', () => setTimeout(() => sent.destroy(), leavesAfterMs))
    answers.left = (answers.left ?? 0) + 1
  }
}
for (let n = 0; n < Number(connections); n += 1) send()
setInterval(() => {
  console.log(JSON.stringify(answers))
  answers = {}
}, 1_000)
process.on('disconnect', () => process.exit())
