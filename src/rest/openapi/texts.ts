export const introduction = (publicUrl: string) =>
  `
The API of an affiliate program. It manages campaigns, affiliates with their links and coupons, referrals, sales,
commissions and payouts.

**Authentication.** Every request needs the secret of an API key, as the user name of HTTP Basic with an empty password, or
as a Bearer token. A key belongs to one program and can reach only that program's data. A read-only key gets 403 for writes.

**Requests.** Bodies are JSON or forms (\`application/x-www-form-urlencoded\`) of at most 1 MiB. Numbers and booleans can be
sent as strings. Unknown fields and parameters are ignored, and so are read-only fields. A PUT is a partial update: absent
fields stay unchanged; \`null\` or a blank string clears a nullable field. HEAD returns the headers of GET, without a body.

**Lists** are paginated, newest first. \`page\` starts at 1. \`limit\` is 25 by default and 100 at most; a larger limit is
served as 100. A page past the end is empty. A filter by state takes several, as \`state[]=a&state[]=b\` or \`state=a,b\`.

**Values.** Ids are UUIDs. Times are ISO 8601 in UTC, with milliseconds. Money is an integer in the currency's minor unit,
exact up to 2^53 - 1. Currencies are ISO 4217 codes, in lower case.

**Caching.** Reads have an \`ETag\`. A request with that \`ETag\` in \`If-None-Match\` gets 304 without a body if nothing has
changed. Reads are private; writes and errors are not cached (\`Cache-Control: no-store\`).

**Errors** are \`{"error": "..."}\`. For invalid input, \`details\` lists all problems. Every response has an \`X-Request-Id\`:
the id that the request sent, or a generated one.

**This document is stricter than the service.** It describes what a client should send. The service also accepts numbers and
booleans as text (\`"commission_percent": "12.5"\`), blank values of fields that are not required (\`campaign_id=\` counts as
absent), the convention's names of fields and states (\`paypal_email\`, \`state=voided\`) with every key, and a trailing slash. Do not
let a gateway reject what this document does not name, if clients of the convention use it.

**Retries.** Every POST, PUT and DELETE accepts an \`Idempotency-Key\`, so that a request can be sent again without doing it twice.
The response to a request that is repeated has \`Idempotent-Replayed: true\`. A 429 or 503 has \`Retry-After\`.

The same data is available through GraphQL: [GraphiQL](${publicUrl}/graphql).
`.trim()

export const supersetIntroduction = `
**The superset profile.** This document is for API keys with the superset profile. Responses have the contract's fields and the
fields that clients of the convention expect. Some fields are included only if \`expand\` names them.

**Words.** States are spelled as in the contract, unless the key has the convention's words. Then a void commission is
\`voided\`, and an open payout is \`due\` once it meets its campaign's minimum.

**Rate limit.** Each key can send \`RateLimit-Limit\` requests in 30 seconds. Further requests get 429, and \`RateLimit-Reset\`
gives the seconds to wait. Endpoints that are not part of the convention (conversions, events, exports) are not limited.
`.trim()

export const tags: readonly { name: string; description: string }[] = [
  { name: 'Affiliates', description: 'People and companies that bring customers and earn commissions.' },
  { name: 'Campaigns', description: 'The rules under which a group of affiliates earns and is paid.' },
  { name: 'Affiliate links', description: 'Links through which affiliates bring visitors.' },
  {
    name: 'Affiliate coupons',
    description: 'Codes that customers enter at checkout. An affiliate can have several.',
  },
  { name: 'Referrals', description: 'Visitors that affiliates brought. A visitor becomes a lead, then a conversion.' },
  { name: 'Sales', description: 'Reported sales that are attributed to an affiliate. Not part of the contract.' },
  { name: 'Commissions', description: 'What affiliates earn for sales. A commission is pending, due, paid or void.' },
  { name: 'Payouts', description: "Payments to affiliates: an affiliate's due commissions in one currency." },
  {
    name: 'Payout runs',
    description: 'Payouts that are paid together, with their file and results. Not part of the contract.',
  },
  {
    name: 'Statements',
    description: 'Signed statements of closed months, which anybody can verify. Not part of the contract.',
  },
  {
    name: 'Invoices',
    description: 'Self-billing invoices and credit notes. Not part of the contract.',
  },
  {
    name: 'Taxes',
    description: 'What affiliates were paid in a year, split by who reports it. Not part of the contract.',
  },
  { name: 'Conversions', description: 'Sales and refunds, reported from any billing system.' },
  { name: 'Events', description: 'What happened in the program, newest first. Not part of the contract.' },
  {
    name: 'Exports',
    description: 'All rows of a resource as a file, in CSV, JSON Lines or Parquet. Not part of the contract.',
  },
  { name: 'Description', description: 'The OpenAPI documents.' },
]

export const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The user name is the secret of an API key. The password is empty.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token is the secret of an API key.' },
}
