import { hostOfTopic } from '../../../kernel/sns-topic.ts'

/** What a provider says of an address: mail cannot reach it, or its person has marked a mail as spam. */
export type Report = { kind: 'bounced' | 'complained'; email: string }

/** A topic of Amazon SNS that asks whether it may send here. */
export type Subscription = { topicArn: string; token: string }

/** The reports of a body. Those of other kinds, such as deliveries and soft bounces, are left out. */
export type Read = { provider: string; reports: Report[]; subscription?: Subscription }

type Fields = Readonly<Record<string, unknown>>

/** Reads a webhook of a provider. Null if no provider sends such a body. */
export function readMailEvents(body: unknown): Read | null {
  if (Array.isArray(body))
    return body.every(isFields) ? { provider: 'SendGrid', reports: body.flatMap(sendGrid) } : null
  if (!isFields(body)) return null
  if (typeof body.Type === 'string' && typeof body.TopicArn === 'string') return sns(body)
  if (typeof body.RecordType === 'string') return { provider: 'Postmark', reports: postmark(body) }
  if (isFields(body['event-data'])) return { provider: 'Mailgun', reports: mailgun(body['event-data']) }
  if (typeof body.type === 'string' && body.type.startsWith('email.'))
    return { provider: 'Resend', reports: resend(body.type, fieldsOf(body.data)) }
  if (Array.isArray(body.events)) return generic(body.events)
  return isSes(body) ? { provider: 'Amazon SES', reports: ses(body) } : null
}

function sns({ Type: type, TopicArn, Token, Message }: Fields): Read | null {
  const provider = 'Amazon SES'
  if (type === 'SubscriptionConfirmation' && typeof Token === 'string')
    return { provider, reports: [], subscription: { topicArn: String(TopicArn), token: Token } }
  if (type !== 'Notification' && type !== 'UnsubscribeConfirmation') return null
  const message = typeof Message === 'string' && type === 'Notification' ? parsed(Message) : null
  return { provider, reports: isFields(message) ? ses(message) : [] }
}

const isSes = ({ notificationType, eventType }: Fields) => typeof (notificationType ?? eventType) === 'string'

/** Notifications of identities have `notificationType`, events of configuration sets `eventType`. */
function ses({ notificationType, eventType, bounce, complaint }: Fields): Report[] {
  const type = notificationType ?? eventType
  const { bounceType, bouncedRecipients } = fieldsOf(bounce)
  const addresses = (list: unknown) => listOf(list).map((one) => fieldsOf(one).emailAddress)
  if (type === 'Bounce') return bounceType === 'Permanent' ? reportsOf('bounced', addresses(bouncedRecipients)) : []
  if (type === 'Complaint') return reportsOf('complained', addresses(fieldsOf(complaint).complainedRecipients))
  return []
}

/** `Inactive`: Postmark sends nothing more to the address either. */
function postmark({ RecordType: record, Type: type, Email, Inactive }: Fields): Report[] {
  if (record === 'SpamComplaint' || (record === 'Bounce' && type === 'SpamComplaint'))
    return reportsOf('complained', [Email])
  const isHard = type === 'HardBounce' || type === 'BadEmailAddress'
  return record === 'Bounce' && (isHard || (Inactive === true && type !== 'SoftBounce'))
    ? reportsOf('bounced', [Email])
    : []
}

/** A bounce of the type `blocked` is about the message, not the address. Dropped mails name an earlier event. */
function sendGrid(event: Fields): Report[] {
  const { email, type, reason } = event
  if (event.event === 'spamreport') return reportsOf('complained', [email])
  if (event.event === 'bounce') return type === 'blocked' ? [] : reportsOf('bounced', [email])
  if (event.event !== 'dropped' || typeof reason !== 'string') return []
  if (/^(bounced|invalid)/i.test(reason)) return reportsOf('bounced', [email])
  return /^spam reporting/i.test(reason) ? reportsOf('complained', [email]) : []
}

/** Permanent failures of other reasons, such as too many attempts, say nothing of the address. */
function mailgun({ event, severity, reason, recipient }: Fields): Report[] {
  if (event === 'complained') return reportsOf('complained', [recipient])
  if (event !== 'failed' || severity !== 'permanent') return []
  if (reason === 'suppress-complaint') return reportsOf('complained', [recipient])
  return reason === 'bounce' || reason === 'suppress-bounce' ? reportsOf('bounced', [recipient]) : []
}

function resend(type: string, { to, bounce }: Fields): Report[] {
  const addresses = Array.isArray(to) ? to : [to]
  if (type === 'email.complained') return reportsOf('complained', addresses)
  const { type: kind } = fieldsOf(bounce)
  // Without a type, it is an earlier form of the event, which was sent for permanent ones alone.
  return type === 'email.bounced' && (kind === undefined || kind === 'Permanent') ? reportsOf('bounced', addresses) : []
}

/** Our own form, for providers that are not known: see docs/mail.md. */
function generic(events: readonly unknown[]): Read | null {
  const reports = events.map((event): Report | null => {
    const { type, email } = fieldsOf(event)
    const kind = type === 'bounce' ? 'bounced' : type === 'complaint' ? 'complained' : null
    return kind && typeof email === 'string' ? { kind, email } : null
  })
  return reports.includes(null) ? null : { provider: 'the mail server', reports: reports as Report[] }
}

const reportsOf = (kind: Report['kind'], emails: readonly unknown[]): Report[] =>
  emails.flatMap((email) => (typeof email === 'string' && email.includes('@') ? [{ kind, email: bare(email) }] : []))

/** `Ada <ada@example.com>` is how SES may name a recipient. */
const bare = (email: string): string => /<([^<>]+)>\s*$/.exec(email)?.[1] ?? email

const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The address at Amazon that confirms a subscription, made from the topic. `SubscribeURL` of the body is not used: it
 * could name any host. Null for something that is not a topic.
 */
export function confirmationUrl({ topicArn, token }: Subscription): string | null {
  const host = hostOfTopic(topicArn)
  if (host === null) return null
  const search = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: topicArn, Token: token })
  return `https://${host}/?${search}`
}
