import { momentOfId } from '../../kernel/ids.ts'

type Timestamped = { externalId: string; createdAt?: Date | undefined; updatedAt?: Date | undefined }

/** When a record was created and updated. Without `createdAt`, the time in its id counts, else the fallback. */
export function timestampsOf(record: Timestamped, fallback: Date): { createdAt: Date; updatedAt: Date } {
  const createdAt = record.createdAt ?? momentOfId(record.externalId) ?? fallback
  const { updatedAt = createdAt } = record
  return { createdAt, updatedAt: updatedAt < createdAt ? createdAt : updatedAt }
}
