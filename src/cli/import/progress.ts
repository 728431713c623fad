import { SingleBar } from 'cli-progress'

export type ProgressDisplay = {
  begin(list: string): void
  /** @param totalCount the number of records in the list; null if the source does not show it */
  advance(count: number, totalCount: number | null): void
  end(): void
  notify(sentence: string): void
}

type Stream = NodeJS.WriteStream | { isTTY?: boolean; write(text: string): unknown }

const lineIntervalMs = 5_000

/** A progress bar for each list on a terminal, otherwise a line every few seconds. */
export const createProgress = (stream: NodeJS.WriteStream): ProgressDisplay =>
  stream.isTTY ? createBars(stream) : createLines(stream)

function createBars(stream: NodeJS.WriteStream): ProgressDisplay {
  let bar: SingleBar | undefined
  let count = 0
  return {
    begin(list) {
      const format = `${list.padEnd(18)} {bar} {value}/{total} {message}`
      bar = new SingleBar({ format, stream, barsize: 30, hideCursor: false, clearOnComplete: false, fps: 5 })
      count = 0
      bar.start(0, 0, { message: '' })
    },
    advance(added, totalCount) {
      count += added
      bar?.setTotal(Math.max(totalCount ?? 0, count))
      bar?.update(count, { message: '' })
    },
    end() {
      bar?.stop()
      bar = undefined
    },
    notify(sentence) {
      if (bar) bar.update({ message: sentence })
      else stream.write(`${sentence}\n`)
    },
  }
}

export function createLines(stream: Stream, now: () => number = Date.now): ProgressDisplay {
  let state = { list: '', count: 0, total: null as number | null }
  let writtenAt = 0
  const writeLine = () => {
    writtenAt = now()
    stream.write(`${state.list}: ${state.count}${state.total === null ? '' : ` of ${state.total}`}\n`)
  }
  return {
    begin(list) {
      state = { list, count: 0, total: null }
      writtenAt = now()
    },
    advance(count, totalCount) {
      state = { ...state, count: state.count + count, total: totalCount }
      if (now() - writtenAt >= lineIntervalMs) writeLine()
    },
    end: writeLine,
    notify: (sentence) => void stream.write(`${sentence}\n`),
  }
}
