import type { z } from 'zod'
import type { Program } from '../../../generated/prisma/client.ts'
import type { PaymentFactKind, PayoutMethod } from '../../../generated/prisma/enums.ts'

/** What a service can do by its API. */
export type Ability = 'quote' | 'verify' | 'send' | 'cancel' | 'ask' | 'hear'

export type Money = { cents: bigint; currency: string }

/** A payment as it is handed over. */
export type PaymentToSend = Money & {
  /** What the service knows it by, beside its own id. */
  ourId: string
  recipient: string
  name: string
  isBusiness: boolean
}

export type BatchToSend = { ourId: string; program: Program; payments: readonly PaymentToSend[] }

/** What a service says of one payment. */
export type Heard = {
  ourId: string | null
  /** The service's id of the payment, and its state in the service's own word. */
  serviceId: string | null
  word: string
  /** What that is here. Null: a word that is not known. */
  state: PaymentFactKind | null
  /** When it happened, by the service. */
  at: Date | null
  amount: Money | null
  /** The service's id of the transaction. */
  reference: string | null
  reason: string | null
  fee: Money | null
  exchangeRate: string | null
  /** What arrives, if that is not the amount: in another currency, or less the fee. */
  received: Money | null
  /** Whether the money for it is there. Then no person has to fund its batch. */
  isFunded?: boolean
}

/** Of a payment of which the service says no more than its state. */
export const nothingSaid = {
  at: null,
  amount: null,
  reference: null,
  fee: null,
  exchangeRate: null,
  received: null,
} satisfies Partial<Heard>

/** What a person has to do at the service, so that it pays a batch. */
export type HandOver = { text: string; expiresAt: Date | null }

/** A batch as the service has it. */
export type HeardBatch = { ourId: string | null; serviceId: string; word: string; handOver?: HandOver | null }

/** A batch that was handed over, with what is known of its payments already. Those that it refused have failed. */
export type SentBatch = HeardBatch & { payments?: readonly Heard[] }

/**
 * For services that need several calls for a batch. If the process dies between two of them, `send` is called again
 * with what was kept.
 */
export type Steps = {
  /** The service's id of the batch, as it was kept. */
  serviceId: string | null
  /** When the batch was first tried. */
  firstTriedAt: Date
  /** Commits the service's id of the batch. */
  keep(serviceId: string): Promise<void>
  /** Call it before each call. @throws ServiceProblem if the time is over: the rest is sent by the next `send` */
  next(step: string): Promise<void>
  /** Commits what is known of single payments, so that a try that breaks off does not send them again. */
  record(payments: readonly Heard[]): Promise<void>
}

/** A page of what the service says of batches. Its id and word are those of the first. */
export type HeardPage = HeardBatch & {
  payments: readonly Heard[]
  /** What is said of all payments of the batch that are not decided: it was denied as a whole. */
  rest: Omit<Heard, 'ourId' | 'serviceId'> | null
}

/** What is left of a run. */
export type RunToQuote = Money & {
  program: Program
  /** How many payments there are of each amount. */
  amounts: readonly { cents: bigint; count: number }[]
}

export type Quote = {
  /** What the service takes for all payments. Null if it says so only after they were made. */
  fee: Money | null
  /** What the account has in the currency of the run. Null if it is not visible. */
  balance: Money | null
  exchangeRate: string | null
  expiresAt: Date | null
  /** What a person should know. */
  notes: readonly string[]
}

/** A request of a service, as it came. */
export type Notice = { body: Uint8Array; header(name: string): string | null }
export type HeardNotice = {
  payments: readonly Heard[]
  batches: readonly HeardBatch[]
  /** The service's ids of payees who have changed something there. */
  payees?: readonly string[]
}

export type Access<Credentials> = {
  /** The address of the API, without a trailing slash. */
  url: string
  credentials: Credentials
  now: () => Date
}

/**
 * A service that sends payments by its API: what it can, how it is called, and what its words mean. All calls throw
 * ServiceProblem.
 */
export type Kind<Credentials extends Record<string, string | undefined> = Record<string, string | undefined>> = {
  /** What people call it. */
  name: string
  /** How GraphQL describes it. */
  description: string
  /** Runs of this method can be sent by it. */
  method: PayoutMethod
  can: readonly Ability[]
  credentials: z.ZodObject
  /** How many payments one call hands over. */
  mostInBatch: number
  /** For how many days the service refuses the same batch again. Later, we refuse to send it. Null: for ever. */
  protectsDays: number | null
  /** What can follow what at this service, beside what can at all services. */
  alsoAfter?: Readonly<Partial<Record<PaymentFactKind, readonly PaymentFactKind[]>>>
  /** Whether a payment can be cancelled before the service has the money for it. Unclaimed ones always can. */
  cancelsUnfunded?: boolean
  /** Tries the credentials. @returns the account, and what it can pay: "can pay EUR, balance 1,204.10" */
  check(access: Access<Credentials>): Promise<{ account: string; canPay: string }>
  quote(access: Access<Credentials>, run: RunToQuote): Promise<Quote>
  /**
   * Hands a batch over. The same batch again is the same one for the service: it is never paid twice. So sending again
   * is also how an unknown one is asked for.
   */
  send(access: Access<Credentials>, batch: BatchToSend, steps: Steps): Promise<SentBatch>
  /** How many batches of a run one question is about. */
  asksAtOnce: number
  /** Asks what became of batches of which none was tried before a time, page by page. */
  ask(access: Access<Credentials>, serviceIds: readonly string[], since: Date): AsyncIterable<HeardPage>
  /** Cancels a payment that waits at the service. */
  cancel(access: Access<Credentials>, serviceId: string): Promise<Heard>
  /** Checks that a request is of the service, and reads it. @returns a sentence if it is refused */
  hear(access: Access<Credentials>, notice: Notice): Promise<HeardNotice | { refusal: string }>
  /** If payees give their accounts to the service itself. */
  onboarding?: Onboarding<Credentials>
}

/** What a service asks of a payee before it pays. */
export type NewPayee = {
  /** The affiliate. The same one again is the same payee. */
  ourId: string
  email: string
  name: string
  isBusiness: boolean
  /** ISO 3166-1, two letters. */
  country: string
}

/**
 * Whether a payee can be paid, and what the service still asks for, in its words. `address` is what runs pay: it is
 * another one if the payee has given another bank account to the service. `isGone`: the account of the credentials
 * does not know the payee.
 */
export type Verified = { isReady: boolean; missing: string | null; address: string; isGone?: boolean }

/** For services whose own page asks payees for their accounts, so that these never come here. */
export type Onboarding<Credentials> = {
  /** Makes the payee known. Returns the service's id. */
  create(access: Access<Credentials>, payee: NewPayee): Promise<string>
  /** The address of the service's page. It works once, for some minutes. */
  link(
    access: Access<Credentials>,
    recipient: string,
    pages: { returnUrl: string; refreshUrl: string },
  ): Promise<string>
  /** @param recipient the service's id, or an address */
  verify(access: Access<Credentials>, recipient: string): Promise<Verified>
  /** Whether payees begin on the service's page. Otherwise the program knows their accounts. */
  hasPage(access: Access<Credentials>): boolean
}

/** A kind, with the types of its credentials only inside. */
export const defineKind = <Credentials extends Record<string, string | undefined>>(kind: Kind<Credentials>): Kind =>
  kind as unknown as Kind
