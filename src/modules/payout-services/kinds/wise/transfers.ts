import { ServiceProblem } from '../../problem.ts'
import { elementsOf, taken, type Wise } from './calls.ts'
import type { Profile } from './profile.ts'
import { type Group, groupOf, type Transfer, transferOf } from './read.ts'

const pageSize = 100
/** The clock of Wise may differ from ours. */
const marginMs = 3_600_000

/** @throws ServiceProblem */
export async function readGroup(access: Wise, { id }: Profile, groupId: string): Promise<Group> {
  const path = `/v3/profiles/${id}/batch-groups/${encodeURIComponent(groupId)}`
  const group = groupOf(await taken(access, { method: 'GET', path }))
  if (!group) throw new ServiceProblem('unanswered', `Wise did not say what became of the batch ${groupId}.`)
  return group
}

/**
 * The transfers of a group that were made since a time, page by page: of those of the whole profile, until all were
 * seen. @throws ServiceProblem
 */
export async function* transfersOf(
  access: Wise,
  { id }: Profile,
  { transferIds }: Group,
  since: Date,
): AsyncIterable<Transfer[]> {
  const left = new Set(transferIds)
  const createdDateStart = new Date(since.getTime() - marginMs).toISOString()
  for (let offset = 0; ; offset += pageSize) {
    const query = new URLSearchParams({
      profile: id,
      limit: String(pageSize),
      offset: String(offset),
      createdDateStart,
    })
    const page = elementsOf(await taken(access, { method: 'GET', path: `/v1/transfers?${query}` }))
    const own = page.map(transferOf).filter((transfer) => left.delete(transfer.id))
    yield own
    if (page.length < pageSize || left.size === 0) return
  }
}

/** Cancels a transfer for which no money is there, or that nobody has claimed. @throws ServiceProblem */
export const cancelTransfer = async (access: Wise, id: string): Promise<Transfer> =>
  transferOf(await taken(access, { method: 'PUT', path: `/v1/transfers/${encodeURIComponent(id)}/cancel` }))
