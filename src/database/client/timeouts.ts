/**
 * Timeouts of the parts of one request, in milliseconds. Each is shorter than the one around it, so the innermost
 * expires first and reports the cause: lock, statement, transaction, HTTP (30 seconds).
 */
export const limits = {
  connectMs: 2_500,
  lockMs: 2_000,
  statementMs: 10_000,
  transactionMs: 15_000,
  /** For transactions of many short statements, such as an import. */
  longTransactionMs: 25_000,
  idleInTransactionMs: 16_000,
  /** Reached only by one silent connection: the server ends statements earlier. */
  queryMs: 20_000,
  /** How long a transaction may wait for a connection. The embedded database has only one, so transactions queue. */
  transactionStartMs: 10_000,
} as const
