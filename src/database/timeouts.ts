/**
 * How long the parts of one request may take, in milliseconds. Each limit is shorter than the one around it, so that
 * the innermost gives up first and says why: a lock before its statement, a statement before its transaction, and all
 * of them before the HTTP answer, which is due after 30 seconds.
 */
export const limits = {
  connectMs: 5_000,
  lockMs: 5_000,
  statementMs: 10_000,
  transactionMs: 15_000,
  idleInTransactionMs: 16_000,
  /** Reached only when the server is silent, since a living server ends the statement before. */
  queryMs: 20_000,
  /** How long a transaction may wait for a connection; the embedded database has one, so a queue forms there. */
  transactionStartMs: 10_000,
} as const
