import { email } from './input/fields.ts'

export type MailSettings = {
  host: string
  port: number
  /** Whether TLS begins with the connection (smtps), not with STARTTLS. */
  isSecure: boolean
  user: string | undefined
  password: string | undefined
  /** An address, or a name and an address: `Acme <partners@acme.test>`. */
  from: string
}

export type Mail = { to: string; subject: string; text: string; html: string }

/** A mail with a link that works once, or about one that was used. */
export type LinkMail = Mail & {
  /** What it is, for the log, which has neither the address nor the link. */
  kind: 'invitation' | 'password reset' | 'e-mail change' | 'e-mail changed'
  /** Whether the link still works. It is asked before each attempt, so that a link that was revoked is not mailed. */
  isCurrent: () => Promise<boolean>
  /** Whether the first attempt waits until the transaction that makes the link is over. */
  isUncommitted: boolean
}

export type Attachment = { filename: string; contentType: string; content: Buffer }

/** A mail of the outbox. */
export type OutgoingMail = Mail & {
  id: string
  kind: string
  /** The program's name. The address of the sender is that of the service. */
  fromName: string
  /** Where one click ends such mails (RFC 8058). */
  unsubscribeUrl: string | null
  attachments?: readonly Attachment[]
}

/** What became of an attempt: `pending` is tried again. A mail `bounced` if the server does not know its address. */
export type MailResult =
  | { state: 'sent'; error: null }
  | { state: 'pending'; error: string }
  | { state: 'failed'; error: string; bounced?: boolean }

export type Mailer = {
  /** Tries now and in the background. Never throws. @returns whether the server accepted it within seconds */
  send(mail: LinkMail): Promise<boolean>
  /** Makes one attempt to send a mail of the outbox. Never throws. */
  deliver(mail: OutgoingMail): Promise<MailResult>
  /** Runs a task that ends in a mail, after the response to the request. A failure is logged. */
  later(task: () => Promise<unknown>): void
  /** Ends running attempts and gives up the others; returns when nothing runs any more. */
  stop(): Promise<void>
}

const defaultPorts: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

/** Reads `SMTP_URL` and `MAIL_FROM`: the settings, undefined without mail, and problems without the password. */
export function readMailSettings(
  url: string | undefined,
  from: string | undefined,
): { settings?: MailSettings; problems: string[] } {
  if (!url && !from) return { problems: [] }
  if (!url) return { problems: ['MAIL_FROM requires SMTP_URL, the mail server that sends'] }
  const problems: string[] = []
  const parsed = parseSmtpUrl(url)
  if (!parsed)
    problems.push(
      'SMTP_URL must be smtp://USER:PASSWORD@HOST:PORT or smtps://…, without path and query; encode special characters of the password (@ is %40)',
    )
  if (!from) problems.push('SMTP_URL requires MAIL_FROM, the sender of mails, such as Acme <partners@acme.test>')
  else if (!isSender(from))
    problems.push('MAIL_FROM must be an e-mail address, or a name and an address, such as Acme <partners@acme.test>')
  return parsed && from && problems.length === 0 ? { settings: { ...parsed, from }, problems } : { problems }
}

function parseSmtpUrl(text: string): Omit<MailSettings, 'from'> | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const defaultPort = defaultPorts[protocol]
  if (!defaultPort || !hostname || (pathname !== '' && pathname !== '/') || search || hash) return null
  if (password && !username) return null
  try {
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port ? Number(port) : defaultPort,
      isSecure: protocol === 'smtps:',
      user: username ? decodeURIComponent(username) : undefined,
      password: username ? decodeURIComponent(password) : undefined,
    }
  } catch {
    return null
  }
}

function isSender(from: string): boolean {
  const [, address = from] = /^[^<>\r\n]*<([^<>]+)>$/.exec(from) ?? []
  return email().safeParse(address.trim()).success
}
