import { SingleBar } from 'cli-progress'

/** Shows how far a run has come. */
export type Show = {
  begin(list: string): void
  /** @param totalCount how many there are, where the source says so */
  move(count: number, page: number, totalCount: number | null): void
  end(): void
  say(sentence: string): void
}

type Stream = NodeJS.WriteStream | { isTTY?: boolean; write(text: string): unknown }

const betweenLinesMs = 5_000

/** A bar for each list on a terminal; elsewhere a line now and then. */
export const createProgress = (stream: NodeJS.WriteStream): Show =>
  stream.isTTY ? createBars(stream) : createLines(stream)

function createBars(stream: NodeJS.WriteStream): Show {
  let bar: SingleBar | undefined
  const wait = { text: '' }
  return {
    begin(list) {
      const format = `${list.padEnd(18)} {bar} {value}/{total} {wait}`
      bar = new SingleBar({ format, stream, barsize: 30, hideCursor: false, clearOnComplete: false, fps: 5 })
      wait.text = ''
      bar.start(0, 0, { wait: '' })
    },
    move(count, _page, totalCount) {
      const value = ((bar as unknown as { value: number } | undefined)?.value ?? 0) + count
      bar?.setTotal(Math.max(totalCount ?? 0, value))
      bar?.update(value, { wait: '' })
    },
    end() {
      bar?.stop()
      bar = undefined
    },
    say(sentence) {
      if (bar) bar.update({ wait: sentence })
      else stream.write(`${sentence}\n`)
    },
  }
}

export function createLines(stream: Stream, now: () => number = Date.now): Show {
  let state = { list: '', count: 0, total: null as number | null }
  let toldAt = 0
  const tell = () => {
    toldAt = now()
    stream.write(`${state.list}: ${state.count}${state.total === null ? '' : ` of ${state.total}`}\n`)
  }
  return {
    begin(list) {
      state = { list, count: 0, total: null }
      toldAt = now()
    },
    move(count, _page, totalCount) {
      state = { ...state, count: state.count + count, total: totalCount }
      if (now() - toldAt >= betweenLinesMs) tell()
    },
    end: tell,
    say: (sentence) => void stream.write(`${sentence}\n`),
  }
}
