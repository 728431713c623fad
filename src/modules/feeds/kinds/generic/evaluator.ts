import { type ChildProcess, spawn } from 'node:child_process'
import { mappingProcess } from '../../../../generated/mapping-process.ts'
import type { Json } from '../json.ts'

/** What is evaluated. Without a body, the mapping is only read. */
export type Request = { mapping: string; body?: Json | undefined }

/** What comes of it: a value as JSON, a problem of the mapping, or why the evaluation was ended. */
export type Answer = { text: string } | { problem: string } | { ended: string }

export type Evaluated = Answer & { cpuMs: number }

export type Evaluator = { evaluate(request: Request): Promise<Evaluated> }

/** How long one evaluation may take. Then its process is ended. */
const longestMs = 1_000
/** How long a process may take to start, also on a busy machine. */
const longestStartMs = 30_000
const idleMs = 20_000
/** In MiB. A process that needs more is ended by V8. */
const memory = 64

/**
 * Evaluates mappings in a process of its own, one at a time. The process is started when it is needed, and ended when
 * it is idle. It is no worker thread, because V8 ends the whole process if a thread allocates too much at once.
 */
export function createEvaluator(): Evaluator {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined

  const end = () => {
    child?.kill('SIGKILL')
    child = null
  }
  const ready = async (): Promise<ChildProcess> => {
    if (child) return child
    const started = start()
    child = started
    started.once('exit', () => {
      if (child === started) child = null
    })
    const first = await messageOf(started, longestStartMs)
    if (first === 'late' || first === 'gone') {
      end()
      throw new Error('The process that evaluates mappings did not start.')
    }
    return started
  }
  return {
    async evaluate(request) {
      clearTimeout(idle)
      const process = await ready()
      hold(process, true)
      const answer = messageOf<Evaluated>(process, longestMs)
      process.send(request)
      const found = await answer
      if (child) hold(child, false)
      idle = setTimeout(end, idleMs).unref()
      if (found !== 'late' && found !== 'gone') return found
      end()
      const ended =
        found === 'late'
          ? `The mapping took longer than ${longestMs} ms, and was stopped.`
          : `The mapping took more than ${memory} MiB of memory, and was stopped.`
      return { ended, cpuMs: longestMs }
    },
  }
}

/** The program comes by standard input: it is longer than an argument may be. It sees no setting of the service. */
function start(): ChildProcess {
  const flags = [`--max-old-space-size=${memory}`, '--max-semi-space-size=8', '--input-type=commonjs', '-']
  const started = spawn(process.execPath, flags, { env: {}, stdio: ['pipe', 'ignore', 'ignore', 'ipc'] })
  started.on('error', () => {})
  started.stdin?.on('error', () => {}).end(mappingProcess)
  return started
}

/** An idle process does not keep the service from ending. */
function hold(process: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    process.ref()
    process.channel?.ref()
  } else {
    process.unref()
    process.channel?.unref()
  }
}

function messageOf<T>(process: ChildProcess, withinMs: number): Promise<T | 'late' | 'gone'> {
  return new Promise((resolve) => {
    const done = (result: T | 'late' | 'gone') => {
      clearTimeout(timer)
      process.off('message', onMessage).off('exit', onGone).off('error', onGone)
      resolve(result)
    }
    const onMessage = (message: unknown) => done(message as T)
    const onGone = () => done('gone')
    const timer = setTimeout(done, withinMs, 'late')
    process.on('message', onMessage).on('exit', onGone).on('error', onGone)
  })
}
