import { clientGone, unavailable } from '../../kernel/errors.ts'
import { setOthersAreActive } from '../../kernel/slices.ts'

/** Slightly more than the database has connections: enough to use all of them, without a long queue in the pool. */
const maxTurns = 20

/** What is left is for other programs: their requests begin at once, however many of one program wait. */
const maxTurnsOfProgram = 16

/** The quota of a program while other programs are active: a program with many turns slows down the others. */
const maxTurnsAmongOthers = 2

/** A shorter turn causes no noticeable delay. */
const longTurnMs = 1

/** Between two turns of a program that others wait beside, it rests for so many times as long as the turn was. */
const restFactor = 3
/** In milliseconds. A longer rest helps nobody. */
const maxRestMs = 150

/** How long a program counts as active after its last request: longer than a client pauses between two of them. */
const activeMs = 500

/** For requests without a key: clicks, and sign-ins separately. A flood leaves the other turns to keys. */
export const maxTurnsWithoutKey = 5

/** After this wait a request fails: the client has probably given up. */
const maxWaitMs = 25_000

/** Whose request it is: programs take turns, and in a program its keys. */
export type TurnHolder = { program: string; key: string }

const nobody: TurnHolder = { program: '', key: '' }

/** For whom a turn is taken. The wait ends when the signal is aborted: the client has disconnected. */
type Wait = { holder?: TurnHolder; signal?: AbortSignal }

export type Turns = {
  /** Whether requests of several programs run or wait, or have ended a moment ago. */
  isShared(): boolean
  /** Waits for a turn. Returns the function that releases it, or null when the wait was too long or was aborted. */
  take(wait?: Wait): Promise<(() => void) | null>
  /** As `take`, but null if the request would have to wait. */
  takeNow(holder?: TurnHolder): (() => void) | null
  count(): TurnCount
}

export type TurnCount = { taken: number; waiting: number }

type Program = {
  taken: number
  /** Turns that ended a moment ago and are not given again yet. */
  resting: number
  /** What waits, by key. The key that comes next is first. */
  waiting: Map<string, Set<() => void>>
}

/**
 * A concurrency limit with a queue, so that a burst does not time out at the database. Waiting programs, and in a
 * program its keys, are served in rotation. A program can have `maxOfProgram` turns, and `maxAmongOthers` while others
 * are active. While a request of another program runs or waits, a long turn is followed by
 * a longer pause.
 */
export function createTurns(max = maxTurns, maxOfProgram = max, maxAmongOthers = maxOfProgram): Turns {
  /** Those that have a turn or wait for one. The program that comes next is first. */
  const programs = new Map<string, Program>()
  let taken = 0
  const lastOther = createLastOther()
  /** Whether a request of another program runs or waits. */
  const isShared = (name: string) => {
    for (const [other, program] of programs)
      if (other !== name && other !== nobody.program && (program.taken > 0 || program.waiting.size > 0)) return true
    return false
  }
  const isAmongOthers = (name: string) => isShared(name) || performance.now() - lastOther.at(name) < activeMs
  const shareOf = (name: string) => (isAmongOthers(name) ? maxAmongOthers : maxOfProgram)
  const isBusy = (name: string, { taken, resting }: Program) => taken + resting >= shareOf(name)

  const begin = (name: string, program: Program) => {
    const beganAt = performance.now()
    taken += 1
    program.taken += 1
    return () => {
      taken -= 1
      program.taken -= 1
      lastOther.note(name)
      if (program.waiting.size > 0 && isShared(name)) rest(program, performance.now() - beganAt)
      else if (program.taken === 0 && program.waiting.size === 0) programs.delete(name)
      startAll()
    }
  }

  /** Nothing interrupts a request that runs, so the next one waits longer: others find the process free. */
  const rest = (program: Program, turnMs: number) => {
    if (turnMs < longTurnMs) return
    program.resting += 1
    setTimeout(
      () => {
        program.resting -= 1
        startAll()
      },
      Math.min(turnMs * restFactor, maxRestMs),
    ).unref()
  }

  /** Several can start when the share of a program grows. */
  const startAll = () => {
    while (startNext());
  }

  const startNext = (): boolean => {
    if (taken >= max) return false
    for (const [name, program] of programs) {
      const [next] = program.waiting
      if (!next || isBusy(name, program)) continue
      const [key, requests] = next
      const [start] = requests
      toEnd(programs, name, program)
      toEnd(program.waiting, key, requests)
      start?.()
      return true
    }
    return false
  }

  const programOf = (name: string): Program => {
    const program = programs.get(name) ?? { taken: 0, resting: 0, waiting: new Map() }
    programs.set(name, program)
    return program
  }

  const takeNow = ({ program: name }: TurnHolder) => {
    const program = programs.get(name)
    if (taken >= max || (program && (isBusy(name, program) || program.waiting.size > 0))) return null
    return begin(name, programOf(name))
  }

  const countWaiting = () => {
    let waiting = 0
    for (const program of programs.values()) for (const requests of program.waiting.values()) waiting += requests.size
    return waiting
  }

  return {
    isShared: () => {
      const [one, another] = [...programs.keys()].filter((name) => name !== nobody.program)
      return another !== undefined || (one === undefined ? lastOther.areTwo() : isAmongOthers(one))
    },
    count: () => ({ taken, waiting: countWaiting() }),
    takeNow: (holder = nobody) => takeNow(holder),
    take: ({ holder = nobody, signal } = {}) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(null)
        const turn = takeNow(holder)
        if (turn) return resolve(turn)
        const program = programOf(holder.program)
        const requests = program.waiting.get(holder.key) ?? new Set()
        const settle = (turn: (() => void) | null) => {
          clearTimeout(timeout)
          signal?.removeEventListener('abort', giveUp)
          requests.delete(start)
          if (requests.size === 0) program.waiting.delete(holder.key)
          if (!turn && program.taken === 0 && program.waiting.size === 0) programs.delete(holder.program)
          resolve(turn)
        }
        const start = () => settle(begin(holder.program, program))
        const giveUp = () => settle(null)
        const timeout = setTimeout(giveUp, maxWaitMs)
        signal?.addEventListener('abort', giveUp)
        requests.add(start)
        program.waiting.set(holder.key, requests)
      }),
  }
}

/** The turns of requests with a key. Work in slices pauses while several programs have or had one. */
export function createFairTurns(): Turns {
  const turns = createTurns(maxTurns, maxTurnsOfProgram, maxTurnsAmongOthers)
  setOthersAreActive(turns.isShared)
  return turns
}

/** When a request of another program has last ended. Requests without a program do not count. */
function createLastOther() {
  let last = { name: '', at: Number.NEGATIVE_INFINITY }
  let before = last
  return {
    note(name: string) {
      if (name === '') return
      if (name !== last.name) before = last
      last = { name, at: performance.now() }
    },
    at: (name: string) => (name === last.name ? before : last).at,
    areTwo: () => performance.now() - before.at < activeMs,
  }
}

function toEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key)
  map.set(key, value)
}

/** @throws UNAVAILABLE when the wait was too long; BAD_REQUEST when it was aborted */
export async function takeTurn(turns: Turns, wait?: Wait): Promise<() => void> {
  const release = await turns.take(wait)
  if (!release) throw wait?.signal?.aborted ? clientGone() : unavailable()
  return release
}

/** @throws UNAVAILABLE when the wait was too long; BAD_REQUEST when it was aborted */
export async function inTurn<T>(turns: Turns, run: () => Promise<T>, wait?: Wait): Promise<T> {
  const release = await takeTurn(turns, wait)
  try {
    return await run()
  } finally {
    release()
  }
}
