import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { failedRequestListing } from './listing.ts'

const FailedRequestType = builder.prismaObject('FailedRequest', {
  description:
    'A request with an API key of the program that failed, or that repeated a report with another amount or currency. It is kept for seven days, without its body.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record.' }),
    apiKeyId: t.exposeID('apiKeyId', { description: 'The id of the API key.' }),
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
    problem: t.exposeString('problem', { description: 'The message of the first error, or how the report differs.' }),
    requestId: t.exposeString('requestId', {
      description: 'The id of the request, as in its response header and in the log.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the request failed.' }),
  }),
})

rootConnection(
  'failedRequests',
  connectionOf(failedRequestListing, FailedRequestType),
  'Requests with API keys of the program that failed in the last seven days, or repeated a report with other values.',
)
