/** What the document says in prose; the tags are those of the route table. */
export const introduction = (publicUrl: string) =>
  `
Runs an affiliate program: campaigns with their rules, affiliates with their links and coupons, the referrals they bring,
the sales those lead to, the commissions earned and the payouts made.

**Authentication.** Every request carries the secret of an API key: as the user name of HTTP Basic with an empty
password, or as a Bearer token. A key belongs to one program and reaches nothing outside of it. A key that was made to read
alone is refused with 403 where something would be written.

**Requests.** Bodies are JSON or forms (\`application/x-www-form-urlencoded\`), 1 MiB at most; in either, numbers and booleans may
come as strings. Unknown fields and parameters are ignored, and so are fields of a resource that can not be written. A PUT changes
what is given: an absent field stays as it is; \`null\` or a blank string clears a field that can be null. HEAD answers as GET, without a body.

**Lists** are newest first, page by page: \`page\` counts from 1, \`limit\` is 25 unless given and 100 at most (more is served as 100).
A page past the end is empty.

**Values.** Ids are UUIDs. Times are ISO 8601 in UTC, with milliseconds. Money is an integer of the currency's minor unit,
exact up to 2^53 - 1. Currencies are ISO 4217, in lower case.

**Caching.** A read has an \`ETag\`; sent back as \`If-None-Match\`, it makes the answer a 304 without a body where nothing has
changed. Reads are private to their caller; writes and errors are not kept at all (\`Cache-Control: no-store\`).

**Errors** say \`{"error": "..."}\`; where an input has problems, \`details\` lists all of them. Every answer carries \`X-Request-Id\`:
the id that the request sent, or one made for it.

The same is served as GraphQL: [GraphiQL](${publicUrl}/graphql).
`.trim()

/** What is said besides to keys of the superset profile. */
export const supersetIntroduction = `
**The superset profile.** This is the interface as keys of the superset profile see it: the contract's fields, and beside them those
that clients of the convention expect. Some appear only where \`expand\` names them.

**Words.** The states are the contract's, unless the key was made with the convention's words: then a commission that was taken
back is \`voided\`, and an open payout \`due\` once it meets its campaign's minimum.

**Rate limit.** So many requests in 30 seconds as \`RateLimit-Limit\` says, for each key; beyond it the answer is 429, and
\`RateLimit-Reset\` says in how many seconds to go on. What is not of the convention (conversions, exports) is not limited.
`.trim()

export const tags: readonly { name: string; description: string }[] = [
  { name: 'Affiliates', description: 'Those who refer customers and earn commissions.' },
  { name: 'Campaigns', description: 'The rules under which a group of affiliates earns and is paid.' },
  { name: 'Affiliate links', description: 'Addresses through which affiliates refer visitors.' },
  {
    name: 'Affiliate coupons',
    description: 'Codes that customers give at the checkout. An affiliate has at most one.',
  },
  { name: 'Referrals', description: 'People whom affiliates brought: visitors, then leads, then conversions.' },
  { name: 'Commissions', description: 'What affiliates earn for sales: pending, then due, then paid, or void.' },
  { name: 'Payouts', description: "An affiliate's due commissions in one currency, paid together." },
  { name: 'Conversions', description: 'Sales, reported from any billing system.' },
  {
    name: 'Exports',
    description:
      'All rows of a resource as a file, of any size: CSV or JSON lines. Ours, beside the documented interface.',
  },
  { name: 'Description', description: 'This document.' },
]

export const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The secret of an API key is the user name; the password is empty.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The secret of an API key is the token.' },
}
