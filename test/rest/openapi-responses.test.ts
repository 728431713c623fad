import { describeResponses } from './openapi-responses.ts'

describeResponses('contract')
