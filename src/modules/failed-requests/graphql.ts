import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { namesOf } from '../history/subject-names.ts'
import { failedRequestListing } from './listing.ts'

const FailedRequestType = builder.prismaObject('FailedRequest', {
  description:
    'A request with an API key of the program that failed, or that repeated a report with another amount or currency. It is kept for seven days. Of what was sent, only numbers, ids, dates and the like are kept.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record.' }),
    apiKeyId: t.exposeID('apiKeyId', { description: 'The id of the API key.' }),
    apiKeyName: t.string({
      nullable: true,
      description: 'The name of the API key. Null if it was deleted.',
      resolve: ({ programId, apiKeyId }, _args, ctx) =>
        batched(ctx, 'names of keys', apiKeyId, (ids) => namesOf(ctx, programId, 'api_key', ids)),
    }),
    method: t.exposeString('method', { description: 'The HTTP method.' }),
    path: t.exposeString('path', { description: 'The path, without its query.' }),
    operation: t.exposeString('operation', {
      nullable: true,
      description: 'The GraphQL operation, or the one that the REST path runs. Null if there is none.',
    }),
    status: t.exposeInt('status', {
      description:
        'The HTTP status of the response. It is 200 where GraphQL answered with errors, and for repeated reports.',
    }),
    code: t.exposeString('code', {
      description:
        'The code of the first error, one of `ErrorCode`; `DIFFERENT_DUPLICATE` for a report that is recorded already, with another amount or currency.',
    }),
    problem: t.exposeString('problem', {
      description: 'The problems of the first error, each in a line, or how the report differs.',
    }),
    requestId: t.exposeString('requestId', {
      description: 'The id of the request, as in its response header and in the log.',
    }),
    query: t.exposeString('query', {
      nullable: true,
      description:
        'The query of the address. Values that may be personal or secret are replaced by `…`. Null if the address had no query.',
    }),
    body: t.exposeString('body', {
      nullable: true,
      description:
        'The first 4,000 characters of the body, as JSON. Values that may be personal or secret are replaced by `…`. Of a body above 8,000 bytes, only the size is kept. Null if the request had no body.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the request failed.' }),
  }),
})

rootConnection(
  'failedRequests',
  connectionOf(failedRequestListing, FailedRequestType),
  'Requests with API keys of the program that failed in the last seven days, or repeated a report with other values.',
)
