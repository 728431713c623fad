import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { createMailer } from '../../src/server/operations/mailer.ts'
import { silentLog } from './database.ts'

/** A real SMTP server on this machine, and a mailer that uses it. */
export async function createSmtp() {
  const received: (ParsedMail & { recipients: string[] })[] = []
  /** What the server answers to a recipient: a code, or nothing to accept. */
  const rejections = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // By default, the end waits half a minute for the connections that the mailer keeps open.
    closeTimeout: 1,
    onRcptTo({ address }, _session, done) {
      const code = rejections.get(address)
      done(code === undefined ? null : Object.assign(new Error('no such mailbox'), { responseCode: code }))
    },
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      void simpleParser(stream).then((mail) => {
        received.push(Object.assign(mail, { recipients }))
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  const settings = { host: '127.0.0.1', port, isSecure: false, user: undefined, password: undefined }
  return {
    port,
    received,
    rejections,
    mailer: createMailer({ settings: { ...settings, from: 'Service <service@tributary.test>' }, log: silentLog }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
