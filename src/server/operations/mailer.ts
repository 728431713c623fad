import { setTimeout as pause } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { LinkMail, Mailer, MailResult, MailSettings, OutgoingMail } from '../../kernel/mail.ts'

type MailerOptions = {
  settings: MailSettings
  log: Logger
  /** The pauses before each further attempt. */
  retryAfterMs?: readonly number[]
  /** How long a request waits to learn whether the mail was accepted. */
  waitMs?: number
}

const second = 1_000
const minute = 60 * second

/** A transaction with an Idempotency-Key is over soon after its answer. */
const commitMs = second

/** The most mails that wait for an attempt. A mail server that is down must not fill the memory. */
const maxWaiting = 1_000

/** Sends mails by SMTP. Waiting attempts are in memory: a stop drops them. The log has no address or link. */
export function createMailer({
  settings,
  log,
  retryAfterMs = [30 * second, 2 * minute, 10 * minute],
  waitMs = 4 * second,
}: MailerOptions): Mailer {
  const { host, port, isSecure, user, password, from } = settings
  const connection = {
    host,
    port,
    secure: isSecure,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    // A password is not sent in the clear, except within this machine.
    requireTLS: !isSecure && user !== undefined && !isLoopback(host),
    connectionTimeout: 10 * second,
    greetingTimeout: 10 * second,
    socketTimeout: 30 * second,
    // The texts are ours; nothing is read from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const transport = createTransport(connection)
  const outbox = createTransport({ ...connection, pool: true, maxConnections: 4 })
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  let waiting = 0

  function track<T>(task: Promise<T>): Promise<T> {
    running.add(task)
    void task.finally(() => running.delete(task))
    return task
  }

  /** @returns null if there is nothing to send any more */
  async function attempt({ kind, isCurrent, isUncommitted: _, ...mail }: LinkMail, number: number) {
    try {
      if (!(await isCurrent())) return null
      await transport.sendMail({ ...mail, from })
      return true
    } catch (error) {
      // The message of the error can repeat the address.
      const { code, responseCode } = error as { code?: string; responseCode?: number }
      log.warn({ kind, attempt: number, code, responseCode }, 'mail not sent')
      // A permanent rejection would only repeat.
      return responseCode !== undefined && responseCode >= 500 ? null : false
    }
  }

  async function sendAgain(mail: LinkMail): Promise<void> {
    if (waiting >= maxWaiting) return void log.warn({ kind: mail.kind }, 'mail given up, too many wait')
    waiting += 1
    try {
      for (const [index, ms] of retryAfterMs.entries()) {
        await pause(ms, undefined, { signal: stopping.signal, ref: false })
        if ((await attempt(mail, index + 2)) !== false) return
      }
      log.warn({ kind: mail.kind }, 'mail given up')
    } catch {
      log.warn({ kind: mail.kind }, 'mail given up, the service stops')
    } finally {
      waiting -= 1
    }
  }

  async function sendFirst(mail: LinkMail): Promise<boolean> {
    if (mail.isUncommitted) await pause(commitMs)
    const isSent = await attempt(mail, 1)
    if (isSent === false) void track(sendAgain(mail))
    return isSent === true
  }

  return {
    async send(mail) {
      const first = track(sendFirst(mail))
      if (mail.isUncommitted) return false
      const waited = new AbortController()
      const timeout = pause(waitMs, false, { signal: waited.signal, ref: false }).catch(() => false)
      const isSent = await Promise.race([first, timeout])
      waited.abort()
      return isSent
    },
    deliver: (mail) => track(deliverBy(outbox, from, mail)),
    later(task) {
      void track(task().catch((err) => log.warn({ err }, 'mail not prepared')))
    },
    async stop() {
      stopping.abort()
      transport.close()
      outbox.close()
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** nodemailer builds the header fields from single values: no name or address can add a field or a recipient. */
async function deliverBy(
  transport: Pick<ReturnType<typeof createTransport>, 'sendMail'>,
  from: string,
  { id, to, subject, text, html, fromName, unsubscribeUrl, attachments }: OutgoingMail,
): Promise<MailResult> {
  const [, address = from] = /<([^<>]+)>$/.exec(from) ?? []
  try {
    await transport.sendMail({
      from: { name: oneLine(fromName), address },
      to: { name: '', address: to },
      subject: oneLine(subject),
      text,
      html,
      ...(attachments && { attachments: [...attachments] }),
      // A mail that is sent again after a crash can be recognized.
      messageId: `<${id}@${address.split('@').at(-1)}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl !== null && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    })
    return { state: 'sent', error: null }
  } catch (cause) {
    const { message, responseCode = 0, command = '' } = cause as Error & { responseCode?: number; command?: string }
    const error = oneLine(message).slice(0, 500)
    // Other permanent errors, such as of the password, are of the service, and not of this mail.
    const isFinal = responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command)
    if (!isFinal) return { state: 'pending', error }
    return { state: 'failed', error, bounced: command === 'RCPT TO' && [550, 551, 553].includes(responseCode) }
  }
}

const oneLine = (value: string): string => value.replace(/[\s\p{Cc}]+/gu, ' ').trim()
