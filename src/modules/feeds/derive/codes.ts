import type { Feed } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { codeObject, type Fact, type Who } from '../facts.ts'
import type { SourceEvent } from './fold.ts'

const used = (fact: Fact) => ('who' in fact ? (fact.who.coupons ?? []) : [])

/** The promotion codes behind ids, as far as events have named them. */
export async function readCodes(
  { db, program }: ProgramCtx,
  feed: Feed,
  events: readonly SourceEvent[],
): Promise<Map<string, string>> {
  const given = events.flatMap(({ facts }) => facts.flatMap(used))
  const ids = [...new Set(given.filter((code) => /^(promo|dsc)_/.test(code)))]
  // Those of a dry run are not stored.
  const named = events.flatMap(({ facts }) => facts.flatMap((fact) => (fact.kind === 'code' ? [fact] : [])))
  const codes = new Map(named.map(({ id, code }) => [id, code]))
  if (ids.length === 0) return codes
  const where = { programId: program.id, feedId: feed.id, object: { in: ids.map(codeObject) } }
  const found = await db.feedObject.findMany({ where, include: { event: { select: { facts: true } } } })
  for (const { event } of found)
    for (const fact of (event.facts ?? []) as Fact[]) if (fact.kind === 'code') codes.set(fact.id, fact.code)
  return codes
}

export function withCodes(events: readonly SourceEvent[], codes: ReadonlyMap<string, string>): readonly SourceEvent[] {
  if (codes.size === 0) return events
  const named = (who: Who): Who => ({ ...who, coupons: who.coupons?.map((code) => codes.get(code) ?? code) })
  const translated = (fact: Fact): Fact => ('who' in fact ? { ...fact, who: named(fact.who) } : fact)
  return events.map((event) => ({ ...event, facts: event.facts.map(translated) }))
}
