import type { TestProgram } from './app.ts'

export type Endpoint = { id: string; secret: string }

/** Creates an endpoint. `fields` are in the form of GraphQL: `eventTypes: ["sale.created"]`. */
export async function createEndpoint(
  program: Pick<TestProgram, 'graphql'>,
  url: string,
  fields = '',
): Promise<Endpoint> {
  const { createWebhookEndpoint: made } = await program.graphql(
    `mutation ($url: URL!) { createWebhookEndpoint(input: { url: $url ${fields} }) { secret webhookEndpoint { id } } }`,
    { url },
  )
  return { id: made.webhookEndpoint.id, secret: made.secret }
}

export async function readDeliveries(program: Pick<TestProgram, 'graphql'>, endpointId: string): Promise<any[]> {
  const { webhookDeliveries } = await program.graphql(
    `query ($where: WebhookDeliveryWhere) { webhookDeliveries(last: 100, where: $where) { nodes {
      id state eventId eventType triesCount nextTryAt finishedAt tries { status error response durationMs } } } }`,
    { where: { endpointId: { equals: endpointId } } },
  )
  return webhookDeliveries.nodes.reverse()
}

export async function readEndpoint(program: Pick<TestProgram, 'graphql'>, id: string): Promise<any> {
  const { webhookEndpoint } = await program.graphql(
    'query ($id: ID!) { webhookEndpoint(id: $id) { state failingSince disabledReason } }',
    { id },
  )
  return webhookEndpoint
}
