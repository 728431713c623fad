import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { OperatorError } from '../database/operator-error.ts'
import type { TributaryError } from '../kernel/errors.ts'
import type { RestRequest } from '../rest/gateway.ts'
import type { RestContext } from '../rest/run.ts'
import { fetchAsOperator } from './operate.ts'
import { type Session, withStore } from './program-file/session.ts'
import { isStopped } from './stopped.ts'

type Asked = Omit<RowsToExport, 'output' | 'program'>

export type RowsToExport = {
  noun: string
  program: string
  output?: string | undefined
  /** The parameters of `GET /v1/exports/{noun}`. */
  parameters: Record<string, string>
}

/**
 * Writes an export to a file, or to standard output. The running server makes it; with DATABASE_URL, or if the server
 * of DATA_DIR is stopped, it is read from the database itself. A file has its name once it is complete.
 * @throws OperatorError
 */
export async function exportRows({ output, ...rows }: RowsToExport): Promise<void> {
  if (output !== undefined && existsSync(output)) throw new OperatorError(`${output} exists. Name a new file.`)
  const config = readConfig(process.env)
  const isStored = config.databaseUrl || (!config.serverUrl && (await isStopped(config.dataDir)))
  await (isStored
    ? withStore(async (session) => write(await readStored(session, rows), output))
    : write(await readFromServer(rows), output))
}

async function write(body: ReadableStream<Uint8Array>, output: string | undefined): Promise<void> {
  const rows = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  if (output === undefined) return pipeline(rows, process.stdout, { end: false })
  const part = `${output}.partial`
  try {
    await pipeline(rows, createWriteStream(part))
    await rename(part, output)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const pathOf = ({ noun, parameters }: Asked) => [`/v1/exports/${noun}`, `?${new URLSearchParams(parameters)}`] as const

async function readFromServer({ program, ...asked }: Asked & { program: string }) {
  const { response, server } = await fetchAsOperator(pathOf(asked).join(''), program)
  if (response.ok && response.body) return response.body as ReadableStream<Uint8Array>
  throw refusal(await response.text(), `${server} responded with status ${response.status}. Check TRIBUTARY_URL.`)
}

function refusal(answer: string, otherwise: string): OperatorError {
  const { error, details = [] } = parsed(answer)
  return new OperatorError(error === undefined ? otherwise : [error, ...details].join(' '))
}

function parsed(answer: string): { error?: string; details?: string[] } {
  try {
    return JSON.parse(answer)
  } catch {
    return {}
  }
}

async function readStored({ db }: Session, { program: named, ...asked }: Asked & { program: string }) {
  const { clockOf, systemClock } = await import('../modules/programs/clock.ts')
  const { findProgramByName } = await import('../modules/programs/service.ts')
  const { answerRest } = await import('../rest/gateway.ts')
  const { matchRoute } = await import('../rest/routes.ts')
  const program = await findProgramByName({ db }, named)
  const [path, search] = pathOf(asked)
  const incoming = { method: 'GET', path, search, header: () => null, isGone: () => false }
  const context = {
    db,
    log: pino({ level: 'silent' }),
    requestId: 'command-line',
    actor: { kind: 'operator' },
    namedProgram: program,
    now: clockOf(program, systemClock),
    trueNow: systemClock,
    profile: 'superset',
    words: 'contract',
  }
  const { status, body } = await answerRest(
    { incoming, body: new Uint8Array() } as object as RestRequest,
    matchRoute('GET', `/exports/${asked.noun}`),
    context as object as RestContext,
    (error) => error as TributaryError,
    {
      accept: null,
      isGone: () => false,
      inTurn: (run) => run(),
      readFrom: (within, run) => run(within),
      breakOff: undefined,
    },
  )
  if (status === 200) return body as ReadableStream<Uint8Array>
  throw refusal(String(body), `The export failed with status ${status}.`)
}
