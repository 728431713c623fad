import { momentOfId } from '../../kernel/ids.ts'

type Dated = { externalId: string; createdAt?: Date | undefined; updatedAt?: Date | undefined }

/** When a record was made and changed: as it says, else as its id does, else at the moment that is known beside it. */
export function madeAndChanged(record: Dated, otherwise: Date): { createdAt: Date; updatedAt: Date } {
  const createdAt = record.createdAt ?? momentOfId(record.externalId) ?? otherwise
  const { updatedAt = createdAt } = record
  return { createdAt, updatedAt: updatedAt < createdAt ? createdAt : updatedAt }
}
