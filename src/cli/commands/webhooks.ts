import { Command } from 'commander'
import { OperatorError } from '../../database/operator-error.ts'
import { listen } from '../listen.ts'
import { mutate } from '../mutate.ts'
import { operate } from '../operate.ts'
import { report, reportResult } from '../report.ts'
import { filled, idOption, names, number, oneOf, programOption, type ResultOptions, time, withJson } from './options.ts'

const fields = `id url description format state event_types: eventTypes failing_since: failingSince
  disabled_reason: disabledReason created_at: createdAt`
const withSecret = `webhook: webhookEndpoint { ${fields} } secret starts_at: startsAt`

const format = oneOf('STANDARD', 'CONVENTION')
const formatMeaning = 'STANDARD for Standard Webhooks, CONVENTION for receivers of the wider API convention'
const typesMeaning = 'the types of events, separated by commas (default: all)'

export const webhookCommands = (): Command[] => [
  withJson(new Command('create-webhook'))
    .description('create a webhook endpoint, which is sent events from now on; its secret is shown once')
    .addOption(programOption())
    .requiredOption('--url <url>', 'where events are sent to', filled)
    .requiredOption('--format <format>', `${formatMeaning}; it cannot be changed later`, format)
    .option('--types <types>', typesMeaning, names)
    .option('--description <text>', 'what the endpoint is for', filled)
    .action((options) => reportResult(options, () => createWebhook(options))),
  withJson(new Command('list-webhooks'))
    .description('list the webhook endpoints of a program, without their secrets')
    .addOption(programOption())
    .action((options) => reportResult(options, () => listWebhooks(options))),
  withJson(new Command('update-webhook'))
    .description('change what a webhook endpoint is sent, or where to')
    .addOption(programOption())
    .addOption(idOption('the endpoint'))
    .option('--url <url>', 'where events are sent to', filled)
    .option('--types <types>', 'the types of events, separated by commas, or "all"', names)
    .option('--description <text>', 'what the endpoint is for', filled)
    .action(({ json, ...options }) => reportResult({ json }, () => updateWebhook(options))),
  withJson(new Command('disable-webhook'))
    .description('send a webhook endpoint nothing more; its waiting deliveries are kept')
    .addOption(programOption())
    .addOption(idOption('the endpoint'))
    .action(({ json, program, id }) =>
      reportResult({ json }, () => changed('disableWebhookEndpoint', { id }, program)),
    ),
  withJson(new Command('enable-webhook'))
    .description('send to a disabled webhook endpoint again; replay sends what it missed')
    .addOption(programOption())
    .addOption(idOption('the endpoint'))
    .action(({ json, program, id }) => reportResult({ json }, () => changed('enableWebhookEndpoint', { id }, program))),
  withJson(new Command('rotate-webhook-secret'))
    .description('give a webhook endpoint a new secret; the old one is used for some hours more')
    .addOption(programOption())
    .addOption(idOption('the endpoint'))
    .option('--keep-old-for-hours <hours>', 'how long the old secret is used (default: 24)', number)
    .action(({ json, program, ...input }) =>
      reportResult({ json }, async () => shown(await mutate('rotateWebhookSecret', withSecret, input, program))),
    ),
  withJson(new Command('delete-webhook'))
    .description('delete a webhook endpoint and its deliveries')
    .addOption(programOption())
    .addOption(idOption('the endpoint'))
    .action(({ json, program, id }) =>
      reportResult({ json }, async () => ({
        deleted_webhook: await mutate('deleteWebhookEndpoint', 'id: deletedId', { id }, program),
      })),
    ),
  withJson(new Command('list-deliveries'))
    .description('list what was sent to webhook endpoints, newest first, with the last response')
    .addOption(programOption())
    .option('--webhook <id>', 'only those to this endpoint', filled)
    .option('--state <state>', 'PENDING, SUCCEEDED or FAILED', oneOf('PENDING', 'SUCCEEDED', 'FAILED'))
    .option('--limit <number>', 'how many, at most 100 (default: 25)', number)
    .action((options) => reportResult(options, () => listDeliveries(options))),
  withJson(new Command('replay'))
    .description('send kept events to a webhook endpoint again')
    .addOption(programOption())
    .requiredOption('--webhook <id>', 'the id of the endpoint', filled)
    .option('--types <types>', typesMeaning, names)
    .option('--since <time>', 'only events since this time, such as 2026-03-01T00:00:00Z', time)
    .option('--missed', 'only events that the endpoint has not accepted', false)
    .action((options) => reportResult(options, () => replay(options))),
  withJson(new Command('listen'))
    .description('forward the events of a program to a server on this machine, signed, as they happen')
    .addOption(programOption())
    .requiredOption('--forward-to <url>', 'where events are sent to, such as http://127.0.0.1:3000/hook', filled)
    .option('--format <format>', `${formatMeaning} (default: STANDARD)`, format)
    .option('--types <types>', typesMeaning, names)
    .option('--secret <secret>', 'signs the events (default: a new secret, which is printed)', filled)
    .action((options) => report(() => listen(options))),
]

type OfProgram = ResultOptions & { program: string }
type NewWebhook = OfProgram & { url: string; format: string; types?: string[]; description?: string }
type Delivery = { tries: { status: number | null; error: string | null }[] }

/** The secret is printed separately, so that it stands out. */
const shown = ({ webhook, ...secret }: { webhook: object }) => ({ webhook: { ...webhook, ...secret } })

async function createWebhook({ program, json: _, types: eventTypes, ...input }: NewWebhook) {
  return shown(await mutate('createWebhookEndpoint', withSecret, { ...input, eventTypes }, program))
}

const changed = (mutation: string, input: object, program: string) =>
  mutate(mutation, `webhook: webhookEndpoint { ${fields} }`, input, program)

type Changes = { program: string; id: string; url?: string; types?: string[]; description?: string }

async function updateWebhook({ program, types, ...input }: Changes) {
  if (Object.keys(input).length === 1 && types === undefined)
    throw new OperatorError('Nothing to change. Give --url, --types or --description.')
  const eventTypes = types?.length === 1 && types[0] === 'all' ? [] : types
  return changed('updateWebhookEndpoint', { ...input, eventTypes }, program)
}

async function listWebhooks({ program }: OfProgram) {
  const query = `{ list: webhookEndpoints(first: 100) { nodes { ${fields} } } }`
  const { list } = await operate<{ list: { nodes: object[] } }>(query, {}, program)
  return { webhooks: list.nodes }
}

async function listDeliveries({
  program,
  webhook,
  state,
  limit = 25,
}: OfProgram & { webhook?: string; state?: string; limit?: number }) {
  const query = `query ($first: Int, $where: WebhookDeliveryWhere) { list: webhookDeliveries(first: $first, where: $where) { nodes {
    id state event_type: eventType event_id: eventId webhook_id: endpointId next_try_at: nextTryAt created_at: createdAt
    tries { status error } } } }`
  const where = {
    ...(webhook !== undefined && { endpointId: { equals: webhook } }),
    ...(state !== undefined && { state: { equals: state } }),
  }
  const { list } = await operate<{ list: { nodes: Delivery[] } }>(query, { first: limit, where }, program)
  return { deliveries: list.nodes.map(withLastTry) }
}

function withLastTry({ tries, ...delivery }: Delivery) {
  const last = tries.at(-1)
  return { ...delivery, tries: tries.length, last_response: last ? (last.status ?? last.error) : null }
}

type ReplayOptions = OfProgram & { webhook: string; types?: string[]; since?: string; missed: boolean }

async function replay({ program, webhook, types, since, missed }: ReplayOptions) {
  const where = {
    ...(types !== undefined && { type: { in: types } }),
    ...(since !== undefined && { createdAt: { gte: since } }),
  }
  const input = { endpointId: webhook, where, includeDelivered: !missed }
  const payload = 'count is_complete: isComplete last_event_id: lastEventId'
  return { replay: await mutate('replayEvents', payload, input, program) }
}
