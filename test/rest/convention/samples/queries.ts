import { form, json, type Sample } from './sample.ts'

const lists = [
  '/affiliates',
  '/campaigns',
  '/affiliate_links',
  '/affiliate_coupons',
  '/referrals',
  '/commissions',
  '/payouts',
]
const reads = [
  '/affiliates/{affiliate}',
  '/campaigns/{campaign}',
  '/affiliate_links/{link}',
  '/affiliate_coupons/{coupon}',
  '/commissions/{commission}',
  '/payouts/{payout}',
]

const total = (count: number) => ({ pagination: { total_count: count } })
const found = (send: string, name: string, count: number): Sample => ({ name, send, status: 200, answer: total(count) })
const one = (id: string) => ({ pagination: { total_count: 1 }, data: [{ id }] })

/** `expand` as it is written: once, several times, with brackets or without, encoded, mixed, with commas, blank. */
const expandForms = [
  'expand=sale',
  'expand[]=affiliate',
  'expand[]=affiliate&expand[]=sale',
  'expand%5B%5D=campaign&expand%5B%5D=links',
  'expand=sale&expand[]=affiliate',
  'expand[0]=affiliate&expand[1]=commission_stats',
  'expand=sale,affiliate',
  'expand=',
  'expand[]=',
  'expand[]=nothing_that_is_known',
]

/** Pages, filters and `expand`, as clients write them into the query, and `expand` in bodies. */
export const queries: readonly Sample[] = [
  ...lists.flatMap((path): Sample[] => [
    {
      name: 'a page past the end is empty',
      send: `GET ${path}?page=9&limit=100`,
      status: 200,
      answer: { data: [], pagination: { current_page: 9, next_page: null, count: 0, limit: 100 } },
    },
    {
      name: 'a slash before the query, and blank and unknown parameters',
      send: `GET ${path}/?page=&limit=&state=&affiliate_id=&email=&since=&foo[bar]=1&_=1710000000`,
      status: 200,
      answer: { pagination: { current_page: 1, limit: 25 } },
    },
    ...expandForms.map((query) => ({
      name: 'expand with any name',
      send: `GET ${path}?${query}&limit=1`,
      status: 200,
      answer: { pagination: { limit: 1, count: 1 } },
    })),
  ]),
  ...reads.flatMap((path, index): Sample[] => [
    { name: 'a read by id', send: `GET ${path}`, status: 200, answer: { id: path.replace(/^.*\//, '') } },
    {
      name: 'a read by id with a trailing slash and expand',
      send: `GET ${path}/?${expandForms[index]}`,
      status: 200,
      answer: { id: path.replace(/^.*\//, '') },
    },
    {
      name: 'a read by id that expands all fields',
      send: `GET ${path}?expand[]=campaign&expand[]=links&expand[]=commission_stats&expand[]=affiliate&expand[]=commissions`,
      status: 200,
      answer: { id: path.replace(/^.*\//, '') },
    },
  ]),

  found('GET /referrals?conversion_state[]=lead&conversion_state%5B%5D=conversion', 'brackets, encoded and not', 3),
  found('GET /referrals?conversion_state%5B%5D=lead', 'a list of one', 1),
  found('GET /referrals?conversion_state=visitor', 'a single word', 1),
  found('GET /referrals?conversion_state[0]=visitor&conversion_state[1]=lead', 'numbers in the brackets', 2),
  found('GET /referrals?conversion_state%5B0%5D=visitor', 'and encoded', 1),
  found('GET /referrals?conversion_state=visitor&conversion_state=lead', 'the same name twice', 2),
  found('GET /referrals?conversion_state=visitor&conversion_state[]=lead', 'with brackets and without', 2),
  found('GET /referrals?conversion_state[]=', 'a blank in brackets is no filter', 4),

  found('GET /referrals?conversion_state[]=&conversion_state[]=lead', 'nor is one beside a word', 1),
  {
    name: 'an unknown state is rejected',
    send: 'GET /commissions?state[]=voided&state[]=gone',
    status: 422,
    answer: { error: 'Could not list commissions.', details: ['State must be one of: pending, due, paid, void'] },
  },

  { name: 'voided', send: 'GET /commissions?state=voided', status: 200, answer: one('{void}') },
  { name: 'voided in brackets', send: 'GET /commissions?state[]=voided', status: 200, answer: one('{void}') },
  { name: 'voided in capitals', send: 'GET /commissions?state=Voided', status: 200, answer: one('{void}') },
  {
    name: 'voided in encoded brackets, and another state',
    send: 'GET /commissions?state%5B%5D=voided&state[]=paid',
    status: 200,
    answer: one('{void}'),
  },
  {
    name: 'voided and void are the same state',
    send: 'GET /commissions?state=voided&state[]=void',
    status: 200,
    answer: one('{void}'),
  },
  found('GET /commissions?state[]=voided&state[]=due', 'voided, and those that are due', 2),
  found('GET /commissions?state=paid', 'a state that none is in', 0),

  found('GET /affiliates?stripe_customer_id=cus_ada', "the billing customer's other name, as a filter", 1),
  found('GET /affiliates?stripe_customer_id=cus_nobody', 'and of nobody', 0),
  found('GET /affiliates?billing_customer_id=cus_ada&stripe_customer_id=cus_nobody', "the contract's name wins", 1),
  found('GET /referrals?stripe_customer_id=cus_lead', 'of a referral', 1),
  found('GET /affiliates?email=ADA@example.com', 'an e-mail in capitals', 1),
  found('GET /affiliates?email=ada%40example.com&campaign_id={campaign}', 'encoded, and with a campaign', 1),
  found('GET /commissions?affiliate_id={affiliate}&campaign_id={campaign}&state[]=due', 'several filters', 1),

  {
    name: 'expand in the form of a new affiliate',
    send: 'POST /affiliates?expand[]=links',
    headers: form,
    body: 'email=e%40b.co&expand%5B%5D=campaign&expand=links',
    status: 201,
    answer: { email: 'e@b.co' },
  },
  ...['"affiliate"', '["affiliate", "sale"]', '[]', 'null', '{"0": "affiliate"}'].map((expand) => ({
    name: `expand in JSON: ${expand}`,
    send: 'PUT /commissions/{commission}?expand=sale',
    headers: json,
    body: `{"amount": 900, "expand": ${expand}}`,
    status: 200,
    answer: { id: '{commission}', amount: 900 },
  })),
  {
    name: 'expand in the form of a sale',
    send: 'POST /conversions?expand=commission',
    headers: form,
    body: 'coupon=ADA20&amount_cents=100&expand[]=commission',
    status: 201,
    answer: { duplicate: false },
  },
  {
    name: 'expand in the query and the body of a DELETE of a commission',
    send: 'DELETE /commissions/{commission}?expand[]=sale',
    headers: json,
    body: '{"expand": ["affiliate"]}',
    status: 200,
    answer: { state: 'void' },
  },
  {
    name: 'expand in the payment of a payout',
    send: 'PUT /payouts/{payout}/pay?expand[]=commissions&expand[]=affiliate',
    headers: form,
    body: 'expand%5B%5D=affiliate',
    status: 200,
    answer: { state: 'paid' },
  },
]
