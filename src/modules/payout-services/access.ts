import type { PayoutService } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { decryptSecret } from '../../kernel/encryption.ts'
import { refused } from '../../kernel/errors.ts'
import { recordAction } from '../history/record.ts'
import { kinds } from './kinds/all.ts'
import type { Access, Kind } from './kinds/kind.ts'
import { ServiceProblem } from './problem.ts'
import type { ServiceSettings } from './settings.ts'

type AnyAccess = Access<Record<string, string | undefined>>

/** A connected service that can be called. */
export type Opened = { row: PayoutService; kind: Kind; access: AnyAccess }

/** @throws REFUSED */
export function kindOf({ service }: Pick<PayoutService, 'service'>): Kind {
  const kind = kinds[service]
  if (!kind) throw refused(`${service} cannot send payments yet.`)
  return kind
}

/** Opens the credentials of a service. @throws REFUSED if they are encrypted with another key */
export function openService(settings: ServiceSettings, row: PayoutService): Opened {
  const access = presentAccess(settings, row)
  if (!access)
    throw refused(
      `The credentials of ${kindOf(row).name} were encrypted with another WEBHOOK_KEY. Enter them again with connectPayoutService.`,
    )
  return { row, kind: kindOf(row), access }
}

/** With the present credentials. Null if they are encrypted with another key. */
export const presentAccess = (settings: ServiceSettings, row: PayoutService): AnyAccess | null =>
  accessOf(settings, row, row.credentials)

/** What webhooks can be signed for: the present credentials, and those before until they end. */
export function accessesOf(settings: ServiceSettings, row: PayoutService): AnyAccess[] {
  const { previousCredentials, previousEndsAt } = row
  const isKept = previousEndsAt !== null && previousEndsAt > settings.now()
  return [row.credentials, isKept ? previousCredentials : null].flatMap((stored) => {
    const access = stored === null ? null : accessOf(settings, row, stored)
    return access ?? []
  })
}

export const accessWith = (
  { urls, now }: ServiceSettings,
  service: PayoutService['service'],
  credentials: AnyAccess['credentials'],
): AnyAccess => ({ url: urls[service] ?? '', credentials, now })

function accessOf(settings: ServiceSettings, { id, service }: PayoutService, stored: string): AnyAccess | null {
  const text = decryptSecret(settings.key, id, stored)
  return text === null ? null : accessWith(settings, service, JSON.parse(text))
}

/** What the credentials of a service were used for. */
export type Use = { use: 'tried' | 'quoted' | 'sent' | 'asked' | 'cancelled'; usedForPayments?: number; runId?: string }

/** Records that the credentials were used, and whether the service answered. Problems of the service are shown. */
export async function noteUse(ctx: ProgramCtx, { row }: Opened, use: Use, error: unknown = null): Promise<void> {
  const now = ctx.now()
  const problem = error instanceof ServiceProblem && error.kind !== 'unfinished' ? error.message : null
  const where = { programId_id: { programId: row.programId, id: row.id } }
  if (problem !== row.problem) await ctx.db.payoutService.updateMany({ where: where.programId_id, data: { problem } })
  const subject = { subject: 'payout_service', subjectId: row.id, action: 'used', named: Object.keys(use) } as const
  await recordAction(ctx.db, ctx, subject, null, use, now)
}

/** Shows a problem of a service to the caller, in its sentence. */
export function asRefusal(error: unknown): unknown {
  return error instanceof ServiceProblem ? refused(error.message) : error
}
