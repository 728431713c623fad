import type { ListedKind } from '../../modules/imports/input.ts'
import { listedKinds } from '../../modules/imports/input.ts'
import { needsOf, offersOf } from './dependencies.ts'
import type { SourceRecord } from './wire.ts'

export type Earlier = { kind: ListedKind; records: SourceRecord[] }

type Stored = { kind: ListedKind; place: number; json: string }

/** If several records offer the same, the first ones decide. */
const maxHolders = 20

/** Keeps the records of a dry run as JSON: each batch is sent with the earlier ones that it depends on. */
export function createRehearsal() {
  const stored: Stored[] = []
  const holders = new Map<string, number[]>()

  const findAll = (names: readonly string[]): number[] => names.flatMap((name) => holders.get(name) ?? [])

  return {
    add(kind: ListedKind, records: readonly SourceRecord[]): void {
      for (const record of records) {
        const place = stored.length
        stored.push({ kind, place, json: JSON.stringify(record) })
        for (const name of offersOf(kind, record)) {
          const places = holders.get(name) ?? []
          if (places.length < maxHolders) holders.set(name, [...places, place])
        }
      }
    },
    /** The earlier records that these depend on, directly or not, in the order of import, within a size. */
    earlierFor(kind: ListedKind, records: readonly SourceRecord[], maxCharacters: number): Earlier[] {
      const found = new Map<number, Stored>()
      const open = records.flatMap((record) => findAll(needsOf(kind, record)))
      let characters = 0
      for (let place = open.shift(); place !== undefined && characters <= maxCharacters; place = open.shift()) {
        const one = stored[place]
        if (!one || found.has(place)) continue
        found.set(place, one)
        characters += one.json.length
        open.push(...findAll(needsOf(one.kind, JSON.parse(one.json))))
      }
      const inOrder = [...found.values()].sort((a, b) => a.place - b.place)
      return listedKinds.flatMap((each) => {
        const ofKind = inOrder.filter((one) => one.kind === each)
        return ofKind.length === 0 ? [] : [{ kind: each, records: ofKind.map(({ json }) => JSON.parse(json)) }]
      })
    },
  }
}
