import type { Logger } from 'pino'
import { repeatInBackground } from '../../database/upkeep/background.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { expireApplications } from '../../modules/applications/confirm.ts'
import { deleteStrayObjects, type Files } from '../../modules/assets/files.ts'
import { releaseAllAccepted } from '../../modules/commissions/terms.ts'
import { writeNotices } from '../../modules/mails/notices.ts'
import { makeScheduledRuns } from '../../modules/payout-services/schedule/make-runs.ts'
import type { ServiceSettings } from '../../modules/payout-services/settings.ts'
import { closeDueMonths } from '../../modules/statements/close-due.ts'

const minuteMs = 60_000

type Options = Files & { log: Logger; publicUrl: PublicUrl; key: Buffer; payoutServices: ServiceSettings }

/** Starts what follows from the clock alone, on any instance. @returns functions that stop it */
export function startRepeated({
  log,
  publicUrl,
  key,
  payoutServices: settings,
  ...files
}: Options): (() => Promise<void>)[] {
  const { db, now } = files
  const repeat = (minutes: number, failureMessage: string, run: () => Promise<unknown>) =>
    repeatInBackground(run, { everyMs: minutes * minuteMs, log, failureMessage })
  return [
    repeat(10, 'could not expire applications', () => expireApplications(db, now())),
    repeat(10, 'could not release commissions that were held for terms', () => releaseAllAccepted({ db, now })),
    repeat(1, 'could not write mails to affiliates', () => writeNotices({ db, now, publicUrl, key })),
    repeat(5, 'could not close months', () => closeDueMonths({ db, now, log, key })),
    repeat(5, 'could not make scheduled payout runs', () => makeScheduledRuns({ db, log, settings, publicUrl })),
    repeat(1, 'could not delete files in the bucket', () => deleteStrayObjects(files)),
  ]
}
