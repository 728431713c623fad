import { v7 } from 'uuid'

/** Chance that repeats itself: the same seed gives the same draws. Nothing secret may come from it. */
export type Random = {
  /** From 0 inclusive to 1 exclusive. */
  unit(): number
  chance(probability: number): boolean
  /** From `from` inclusive to `to` exclusive. */
  between(from: number, to: number): number
  /** A whole number, both ends included. */
  integer(from: number, to: number): number
  pick<T>(values: readonly T[]): T
  /** A position in the list, each as likely as its weight says. */
  weighted(weights: readonly number[]): number
  /** How often something happens that happens `mean` times on average. */
  poisson(mean: number): number
  /** Letters and digits, as billing systems write their references. */
  code(length: number): string
  /** A UUIDv7 of this moment. */
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

/** Chris Doty-Humphrey's sfc32: 32 bits a draw. Its first draws are thrown away, as near seeds begin alike. */
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
