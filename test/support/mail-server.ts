import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export type ReceivedMail = { to: string; source: string; text: string; html: string; subject: string }

/** An SMTP server on this machine. `rejectWith` is its answer to each mail, such as `451 later`; null accepts. */
export async function createMailServer() {
  const received: ReceivedMail[] = []
  let rejection: string | null = null
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    let buffer = ''
    let to = ''
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    const answer = (line: string) => {
      const command = line.toUpperCase()
      if (command.startsWith('RCPT')) {
        to = /<([^>]+)>/.exec(line)?.[1] ?? ''
        return say(rejection ?? '250 ok')
      }
      if (command === 'DATA') {
        isData = true
        return say('354 go on')
      }
      if (command.startsWith('AUTH')) return say('235 welcome')
      if (command === 'QUIT') return socket.end('221 bye\r\n')
      say(command.startsWith('EHLO') ? '250-test\r\n250 AUTH PLAIN' : '250 ok')
    }
    socket.on('data', (chunk) => {
      buffer += chunk.toString('latin1')
      for (;;) {
        const mark = isData ? '\r\n.\r\n' : '\r\n'
        const end = buffer.indexOf(mark)
        if (end < 0) return
        const part = buffer.slice(0, end)
        buffer = buffer.slice(end + mark.length)
        if (!isData) answer(part)
        else {
          isData = false
          received.push(read(to, part))
          say('250 taken')
        }
      }
    })
    say('220 test')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    received,
    rejectWith(answer: string | null) {
      rejection = answer
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function read(to: string, source: string): ReceivedMail {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(source) ?? []
  const [head = '', text = '', html = ''] = source.split(`--${boundary}`)
  return {
    to,
    source,
    text: bodyOf(text),
    html: bodyOf(html),
    subject: /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? '',
  }
}

/** The body of a part, decoded. */
function bodyOf(part: string): string {
  const start = part.indexOf('\r\n\r\n')
  const body = part.slice(start + 4)
  if (!/quoted-printable/i.test(part.slice(0, start))) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
