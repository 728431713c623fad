import { Gauge, type Registry } from 'prom-client'
import type { Backups } from '../../database/backup/schedule.ts'

export function watchBackups(
  { ageSeconds, everySeconds }: Pick<Backups, 'ageSeconds' | 'everySeconds'>,
  registers: Registry[],
): void {
  const shared = { registers, aggregator: 'max' as const }
  new Gauge({
    name: 'tributary_backup_age_seconds',
    help: 'Seconds since the newest scheduled backup in BACKUP_DIR. +Inf without one.',
    ...shared,
    async collect() {
      this.set(await ageSeconds())
    },
  })
  new Gauge({
    name: 'tributary_backup_interval_seconds',
    help: 'How often a scheduled backup is due: BACKUP_EVERY_HOURS in seconds.',
    ...shared,
  }).set(everySeconds)
}
