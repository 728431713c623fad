import { v7 } from 'uuid'

/** A seeded random generator: the same seed gives the same values. Not for secrets. */
export type Random = {
  unit(): number
  chance(probability: number): boolean
  /** A number from `from` inclusive to `to` exclusive. */
  between(from: number, to: number): number
  /** An integer, both ends inclusive. */
  integer(from: number, to: number): number
  pick<T>(values: readonly T[]): T
  /** An index of the list, with a probability proportional to its weight. */
  weighted(weights: readonly number[]): number
  poisson(mean: number): number
  /** Random lower-case letters and digits, as in the ids of billing systems. */
  code(length: number): string
  id(at: Date): string
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

export function createRandom(seed: number): Random {
  const next = sfc32(seed)
  const unit = () => next() / 2 ** 32
  const integer = (from: number, to: number) => from + Math.floor(unit() * (to - from + 1))
  const pick = <T>(values: readonly T[]) => values[integer(0, values.length - 1)] as T
  const bytes = () => {
    const draws = Uint32Array.of(next(), next(), next(), next())
    return new Uint8Array(draws.buffer)
  }
  return {
    unit,
    chance: (probability) => unit() < probability,
    between: (from, to) => from + unit() * (to - from),
    integer,
    pick,
    weighted(weights) {
      let rest = unit() * weights.reduce((sum, weight) => sum + weight, 0)
      for (const [index, weight] of weights.entries()) {
        rest -= weight
        if (rest < 0) return index
      }
      return weights.length - 1
    },
    poisson(mean) {
      const limit = Math.exp(-mean)
      let count = 0
      for (let product = unit(); product > limit; product *= unit()) count += 1
      return count
    },
    code: (length) => Array.from({ length }, () => alphabet[integer(0, alphabet.length - 1)]).join(''),
    id: (at) => v7({ msecs: at.getTime(), random: bytes() }),
  }
}

/** Chris Doty-Humphrey's sfc32. The first values are discarded, because similar seeds start alike. */
function sfc32(seed: number): () => number {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, 1]
  const next = () => {
    const result = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + result
    return result >>> 0
  }
  for (let draw = 0; draw < 15; draw += 1) next()
  return next
}
