import type { FailedRequestsQuery } from '../../../generated/dashboard/developers/graphql.ts'
import { serviceUrl } from '../address.ts'
import { Fact } from '../money/fact.tsx'
import { texts } from '../texts.ts'
import { Moment } from '../ui/moment.tsx'
import { CopyBox } from '../ui/secret.tsx'

const { requests: words } = texts.developers

export type Failed = FailedRequestsQuery['failedRequests']['nodes'][number]

/** A code for programs in words: "no_matching_affiliate" is "No matching affiliate". */
const isCode = (line: string) => /^[a-z]+(_[a-z]+)+$/.test(line)
const inWords = (line: string): string => {
  if (!isCode(line)) return line
  const spaced = line.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** What was wrong, one problem a line. Older records have codes in one line with other words. */
export const problemsOf = ({ problem }: Pick<Failed, 'problem'>): string[] =>
  problem
    .split('\n')
    .flatMap((line) => (line.split(' ').every(isCode) ? line.split(' ') : [line]))
    .map(inWords)

export const Problems = ({ request }: { request: Failed }) => (
  <ul className="lines">
    {problemsOf(request).map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

export const codeInWords = (code: string): string =>
  words.kinds[code] ?? inWords(code.toLowerCase().includes('_') ? code.toLowerCase() : `${code.toLowerCase()}_`).trim()

/** The command that sends the request again. What is hidden has to be filled in. */
export function commandOf({ method, path, query, body }: Failed): string {
  const address = serviceUrl(path.replace(/^\//, '')) + (query ? `?${query}` : '')
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

/** Everything that is kept of one request, and how to send it again. */
export function FailedRequest({ request }: { request: Failed }) {
  const { status, code, operation, apiKeyName, requestId, query, body, createdAt } = request
  return (
    <>
      <dl className="facts">
        <Fact name={words.kind}>{codeInWords(code)}</Fact>
        <Fact name={words.status}>{status}</Fact>
        {operation && <Fact name={words.operation}>{operation}</Fact>}
        <Fact name={words.key}>{apiKeyName ?? texts.money.none}</Fact>
        <Fact name={words.requestId}>
          <code>{requestId}</code>
        </Fact>
        <Fact name={words.at}>
          <Moment at={createdAt} />
        </Fact>
      </dl>
      <h3>{words.problem}</h3>
      <Problems request={request} />
      {query && (
        <>
          <h3>{words.query}</h3>
          <pre>
            <code>{query}</code>
          </pre>
        </>
      )}
      {body && (
        <>
          <h3>{words.body}</h3>
          <pre>
            <code>{body}</code>
          </pre>
        </>
      )}
      <h3>{words.again}</h3>
      <p className="quiet">{words.againLead}</p>
      <CopyBox text={commandOf(request)} name={words.command} />
    </>
  )
}
