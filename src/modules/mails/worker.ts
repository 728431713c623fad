import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AppDb } from '../../kernel/db.ts'
import type { Attachment, Mailer, MailResult } from '../../kernel/mail.ts'
import { createWorkLoop } from '../../kernel/work-loop.ts'
import {
  type ClaimedMail,
  claimMails,
  deleteOldMails,
  isTooOld,
  releaseMails,
  stopBounced,
  storeMailOutcome,
} from './claim.ts'

export type MailWorker = {
  start(): void
  /** Sends what is due, and returns when nothing is. */
  runOnce(): Promise<void>
  /** Begins no more mails, and waits for those that are being sent. */
  stop(): Promise<void>
}

const batchSize = 50
const pollEveryMs = 1_000
const deleteEveryMs = 3_600_000
const keptMs = 90 * 86_400_000
/** A shutdown has 10 seconds in all. */
const stopAfterMs = 7_000

/** Sends the outbox. Any number of instances share the work: see `claimMails`. Without a mailer, mails wait. */
export function createMailWorker(options: {
  db: AppDb
  log: Logger
  /** The true time. */
  now: () => Date
  mailer: Mailer | undefined
  /** What is attached to a mail. It is made when the mail is sent, so that the outbox stays small. */
  attachmentsOf: (mail: ClaimedMail) => Promise<Attachment[]>
}): MailWorker {
  const { db, log, now, mailer, attachmentsOf } = options
  let deletedAt = Number.NEGATIVE_INFINITY

  async function deliver(given: Mailer, mail: ClaimedMail): Promise<MailResult> {
    try {
      return await given.deliver({ ...mail, attachments: await attachmentsOf(mail) })
    } catch (err) {
      log.warn({ err, programId: mail.programId, mailId: mail.id }, 'attachment of a mail could not be made')
      return { state: 'pending', error: 'Its attachment could not be made.' }
    }
  }

  /** One transaction per mail, so that a crash sends only those again that were being sent. */
  async function sendOne(given: Mailer, mail: ClaimedMail): Promise<void> {
    const result = isTooOld(mail, now())
      ? ({ state: 'failed', error: 'It waited for more than three days.' } as const)
      : await deliver(given, mail)
    if (result.state !== 'sent')
      log.warn({ programId: mail.programId, mailId: mail.id, kind: mail.kind }, 'mail not sent')
    await storeMailOutcome(db, mail, result, now())
    await stopBounced(db, mail, result, now())
  }

  /** @returns whether there may be more */
  async function step(): Promise<boolean> {
    if (!mailer) return false
    const claimed = await claimMails(db, now(), batchSize)
    const waiting = [...claimed]
    const sendNext = async (): Promise<void> => {
      for (let mail = waiting.shift(); mail && !loop.isStopping; mail = waiting.shift()) await sendOne(mailer, mail)
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, sendNext))
    await releaseMails(db, waiting, now())
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
    return claimed.length > 0
  }

  async function deleteOld(): Promise<void> {
    if (performance.now() - deletedAt < deleteEveryMs) return
    deletedAt = performance.now()
    await deleteOldMails(db, new Date(now().getTime() - keptMs))
  }

  const loop = createWorkLoop({
    step: async () => {
      await deleteOld()
      return step()
    },
    restMs: pollEveryMs,
    onFailure: (err) => log.warn({ err }, 'outbox failed, retrying'),
  })
  return {
    start: loop.start,
    async runOnce() {
      while (await step());
    },
    // What a server does not answer in time is sent again after its lease.
    stop: () => Promise.race([loop.stop(), pause(stopAfterMs, undefined, { ref: false })]),
  }
}
