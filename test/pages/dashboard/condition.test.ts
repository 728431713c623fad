import { describe, expect, it } from 'vitest'
import { eventTypes } from '../../../src/modules/events/types.ts'
import { readCondition, writeCondition } from '../../../src/pages/dashboard/developers/condition.ts'
import { eventGroups, typesInWords } from '../../../src/pages/dashboard/developers/event-groups.ts'

describe('the condition of a webhook endpoint', () => {
  it.each([
    {},
    { campaignId: 'c' },
    { affiliateId: 'a', leastCents: 5_000, currency: 'usd' },
    { campaignId: 'c', affiliateId: 'a', leastCents: 0, currency: 'jpy' },
  ])('is read as it was written: %o', (condition) => {
    const where = writeCondition(condition)
    expect(readCondition(where && JSON.stringify(where))).toEqual(condition)
  })

  it.each([
    { or: [{ campaignId: { equals: 'c' } }] },
    { campaignId: { in: ['c'] } },
    { campaignId: { equals: null } },
    { amountCents: { gte: 1, lt: 5 }, currency: { equals: 'usd' } },
    { amountCents: { gte: 1 } },
    { requestId: { equals: 'r' } },
  ])('that the form cannot show is not read: %o', (where) => expect(readCondition(JSON.stringify(where))).toBeNull())
})

it('every type of event is in one group, and whole groups are named as such', () => {
  expect(eventGroups.flatMap(({ types }) => types).toSorted()).toEqual(eventTypes.toSorted())
  const links = eventTypes.filter((type) => type.includes('affiliate_link'))
  expect(typesInWords(['sale.created', ...links])).toBe('All of links, sale.created')
  expect(typesInWords([])).toBe('All types')
})
