import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { type Asked, type ServiceStandIn, startStandIn, type Told } from './stand-in.ts'
import {
  type Account,
  form,
  type Group,
  groupBody,
  major,
  type Quote,
  quoteBody,
  type Transfer,
  transferBody,
} from './wise-bodies.ts'

// A stand-in of Wise's batches, made from its published reference. It moves no money, but keeps account of it.

export type WiseStandIn = ServiceStandIn & {
  groups: Map<string, Group>
  transfers: Map<string, Transfer>
  /** Our ids of transfers that lists do not have yet, and that are refused if they are made again. */
  late: Set<string>
  /** A person funds what is completed, on the page of Wise. */
  fundByHand(): void
  /** The public key of its webhooks, as the credentials have it. */
  webhookKey: string
}

const profileId = 4711
const feeCents = 30
const mayFund: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'NZ', 'SG', 'MY'])

export type WiseOptions = {
  port?: number
  token?: string
  perSecond?: number
  isQuick?: boolean
  /** Where the business is. In some countries, a person has to fund what a token has made. */
  country?: string
}

/**
 * The address of a payee decides what happens: `invalid…@` and `country…@` are no recipients, the transfer to
 * `failed…@` is cancelled, `unclaimed…@` does not say where the money goes to. All others are paid.
 */
export async function startWise({
  token = 'stand-in',
  isQuick = false,
  country = 'US',
  ...options
}: WiseOptions = {}): Promise<WiseStandIn> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const balances: Record<string, number> = { USD: 100_000_000, EUR: 120_410 }
  const accounts = new Map<number, Account>()
  const quotes = new Map<string, Quote>()
  const groups = new Map<string, Group>()
  const transfers = new Map<string, Transfer>()
  const late = new Set<string>()
  let lastId = 1_000
  const nextId = () => {
    lastId += 1
    return lastId
  }
  const set = (transfer: Transfer, status: string, at: Date) => {
    transfer.status = status
    transfer.changed = at.toISOString()
  }
  const endOf = ({ account: { email } }: Transfer) =>
    email.startsWith('failed')
      ? 'cancelled'
      : email.startsWith('unclaimed')
        ? 'waiting_recipient_input_to_proceed'
        : 'outgoing_payment_sent'
  const settle = (at = new Date(), takenBefore = Number.POSITIVE_INFINITY) => {
    for (const transfer of transfers.values())
      if (transfer.status === 'processing' && Date.parse(transfer.created) <= takenBefore)
        set(transfer, endOf(transfer), at)
  }
  const ofGroup = ({ id }: Group) => [...transfers.values()].filter(({ groupId }) => groupId === id)
  const pay = (group: Group) => {
    group.funded = true
    for (const one of ofGroup(group)) if (one.status === 'incoming_payment_waiting') set(one, 'processing', new Date())
    if (isQuick) settle()
  }
  const refusal = (status: number, code: string, message: string, headers?: Record<string, string>): Told => ({
    status,
    body: { errors: [{ code, message }] },
    ...(headers && { headers }),
  })

  const createQuote = (text: string): Told => {
    const { sourceCurrency, targetCurrency, sourceAmount, targetAmount, targetAccount } = JSON.parse(text)
    const rate = sourceCurrency === targetCurrency ? 1 : 1.25
    const isOfSource = sourceAmount !== undefined
    const target = Math.round(isOfSource ? (sourceAmount * 100 - feeCents) * rate : targetAmount * 100)
    const source = Math.round(isOfSource ? sourceAmount * 100 : (targetAmount * 100) / rate + feeCents)
    const pair = { sourceCurrency, targetCurrency, rate }
    const quote = { ...pair, id: randomUUID(), targetAccount, isOfSource, source, target, fee: feeCents, used: false }
    quotes.set(quote.id, quote)
    return { status: 200, body: quoteBody(quote) }
  }

  const createTransfer = (group: Group, text: string): Told => {
    const { targetAccount, quoteUuid, customerTransactionId: ourId } = JSON.parse(text)
    const known = transfers.get(ourId)
    if (late.has(ourId)) return refusal(409, 'transfer.exists', 'There is a transfer with this id.')
    if (known) return { status: 200, body: transferBody(known) }
    const account = accounts.get(targetAccount)
    const quote = quotes.get(quoteUuid)
    if (group.status !== 'NEW') return refusal(409, 'batch.closed', 'The batch group is not open.')
    if (!account || !quote || quote.used)
      return refusal(422, 'transfer.invalid', 'The recipient or the quote cannot be used.')
    quote.used = true
    const created = new Date().toISOString()
    const waits = { status: 'incoming_payment_waiting', created, changed: created }
    const transfer = { id: nextId(), ourId, groupId: group.id, account, quote, ...waits }
    transfers.set(ourId, transfer)
    group.version += 1
    return { status: 201, body: transferBody(transfer) }
  }

  const fund = (group: Group | undefined): Told => {
    if (!group) return refusal(404, 'not.found', 'There is no such batch.')
    if (!mayFund.has(country))
      return refusal(403, 'sca.required', 'A confirmation is needed.', {
        'x-2fa-approval': randomUUID(),
        'x-2fa-approval-result': 'REJECTED',
      })
    if (group.status !== 'COMPLETED') return refusal(409, 'batch.open', 'The batch group is not completed.')
    if (group.funded) return refusal(409, 'payment.exists', 'The batch was funded already.')
    const sum = ofGroup(group).reduce((total, { quote }) => total + quote.source, 0)
    const balance = balances[group.sourceCurrency] ?? 0
    if (sum > balance)
      return { status: 201, body: { type: 'BALANCE', status: 'REJECTED', errorCode: 'transfer.insufficient_funds' } }
    balances[group.sourceCurrency] = balance - sum
    pay(group)
    return { status: 201, body: { type: 'BALANCE', status: 'COMPLETED', errorCode: null } }
  }

  const ofProfile = ({ method, text }: Asked, [kind, id, action]: string[]): Told => {
    if (kind === 'quotes' && method === 'POST') return createQuote(text)
    const quote = kind === 'quotes' ? quotes.get(id ?? '') : undefined
    if (quote) return { status: 200, body: quoteBody(quote) }
    const group = groups.get(id ?? '')
    if (kind === 'batch-payments') return fund(group)
    if (kind !== 'batch-groups') return refusal(404, 'not.found', 'There is no such page.')
    if (method === 'POST' && id === undefined) {
      const { sourceCurrency, name } = JSON.parse(text)
      const made: Group = { id: randomUUID(), version: 1, name, sourceCurrency, status: 'NEW', funded: false }
      groups.set(made.id, made)
      return { status: 201, body: groupBody(made, ofGroup(made)) }
    }
    if (!group) return refusal(404, 'not.found', 'There is no such batch.')
    if (action === 'transfers') return createTransfer(group, text)
    if (method === 'PATCH') {
      const { status, version } = JSON.parse(text)
      if (version !== group.version) return refusal(409, 'version', 'The version is outdated.')
      group.status = status
      group.version += 1
    }
    return { status: 200, body: groupBody(group, ofGroup(group)) }
  }

  const createAccount = (text: string): Told => {
    const { currency, accountHolderName: name, details } = JSON.parse(text)
    const email: string = details?.email ?? ''
    if (email.startsWith('invalid')) return refusal(422, 'NOT_VALID', 'Please enter a valid email address.')
    if (email.startsWith('country')) return refusal(422, 'NOT_SERVED', 'We do not send money to this country.')
    if (!/\S\s+\S/.test(name) && details?.legalType !== 'BUSINESS')
      return refusal(422, 'NOT_VALID', 'Please enter the full name.')
    const account = { id: nextId(), email, currency }
    accounts.set(account.id, account)
    return {
      status: 200,
      body: { id: account.id, profile: profileId, currency, type: 'email', accountHolderName: name, details },
    }
  }

  const oneTransfer = ({ method }: Asked, id: string | undefined): Told => {
    const transfer = [...transfers.values()].find((one) => String(one.id) === id)
    if (!transfer) return refusal(404, 'not.found', 'There is no such transfer.')
    if (method === 'PUT') {
      if (!['incoming_payment_waiting', 'waiting_recipient_input_to_proceed'].includes(transfer.status))
        return refusal(409, 'transfer.state', 'The transfer cannot be cancelled any more.')
      set(transfer, 'cancelled', new Date())
    }
    return { status: 200, body: transferBody(transfer) }
  }

  const listTransfers = (query: URLSearchParams): Told => {
    const since = Date.parse(query.get('createdDateStart') ?? '1970-01-01')
    const from = Number(query.get('offset') ?? 0)
    const isListed = ({ ourId, created }: Transfer) => !late.has(ourId) && Date.parse(created) >= since
    const all = [...transfers.values()].filter(isListed).reverse()
    return { status: 200, body: all.slice(from, from + Number(query.get('limit') ?? 10)).map(transferBody) }
  }

  const answer = (asked: Asked): Told => {
    const { path, query, headers, text, method } = asked
    if (headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { error: 'invalid_token', error_description: 'Invalid token' } }
    const [, version, kind = '', id, ...rest] = path.split('/')
    if (kind === 'profiles' && id === undefined)
      return {
        status: 200,
        body: [
          { id: 1, type: 'PERSONAL', fullName: 'Ada Person', address: { countryIso2Code: country } },
          { id: profileId, type: 'BUSINESS', businessName: 'Acme', address: { countryIso2Code: country } },
        ],
      }
    if (version === 'v4') {
      const all = Object.entries(balances).map(([currency, cents]) => ({
        id: nextId(),
        currency,
        amount: { value: major(cents), currency },
      }))
      return { status: 200, body: all }
    }
    if (kind === 'profiles')
      return id === String(profileId) ? ofProfile(asked, rest) : refusal(403, 'forbidden', 'Not your profile.')
    if (kind === 'account-requirements') return { status: 200, body: query.get('target') === 'JPY' ? [] : [form] }
    if (kind === 'accounts') return createAccount(text)
    if (kind === 'transfers' && id === undefined && method === 'GET') return listTransfers(query)
    return kind === 'transfers' ? oneTransfer(asked, id) : refusal(404, 'not.found', 'There is no such page.')
  }

  const standIn = await startStandIn(answer, options)
  const find = (ourId: string) => {
    const found = [...transfers.values()].find((one) => one.ourId.replaceAll('-', '') === ourId)
    if (!found) throw new Error(`The stand-in has no transfer with the id ${ourId}`)
    return found
  }
  return Object.assign(standIn, {
    balances,
    groups,
    transfers,
    late,
    settle,
    webhookKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    fundByHand: () =>
      [...groups.values()].filter(({ status, funded }) => status === 'COMPLETED' && !funded).forEach(pay),
    change: (ourId: string, status: string, at = new Date()) => set(find(ourId), status, at),
    states: () =>
      [...transfers.values()].map(({ ourId, status }) => ({ ourId: ourId.replaceAll('-', ''), word: status })),
    moved() {
      const moved = new Map<string, number>()
      for (const { status, account, quote } of transfers.values()) {
        const cents = quote.isOfSource ? quote.source : quote.target
        if (status === 'outgoing_payment_sent') moved.set(account.email, (moved.get(account.email) ?? 0) + cents)
      }
      return moved
    },
    notice(ourId: string) {
      const { id, account, status, changed } = find(ourId)
      const resource = { type: 'transfer', id, profile_id: profileId, account_id: account.id }
      const body = JSON.stringify({
        data: { resource, current_state: status, previous_state: null, occurred_at: changed },
        subscription_id: randomUUID(),
        event_type: 'transfers#state-change',
        schema_version: '4.0.0',
        sent_at: new Date().toISOString(),
      })
      const signature = sign('RSA-SHA256', Buffer.from(body), privateKey).toString('base64')
      return { body, headers: { 'x-signature-sha256': signature, 'x-delivery-id': randomUUID() } }
    },
  })
}
