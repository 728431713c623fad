import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'

/** API keys, tokens, sign-in tickets and webhook secrets, also in an encoded address. */
const secretForm = /(trib(?:_|%5f)(?:sk|at|sso|admin)(?:_|%5f)|whsec(?:_|%5f))[\w.~%+=/-]*/gi

/** What must not be logged. `values` are secrets without a form of their own. */
export const redacted = (text: string, values: Iterable<string> = []): string =>
  withoutSpellings(text, [...values].flatMap(spellings))

const withoutSpellings = (text: string, spelled: readonly string[]) =>
  spelled.reduce((left, value) => left.replaceAll(value, '…'), text).replace(secretForm, '$1…')

/** How a line can contain a secret: in JSON, and in an address. */
const spellings = (secret: string) => {
  const forms = [secret, encodeURIComponent(secret), encodeURI(secret)]
  return forms.map((form) => JSON.stringify(form).slice(1, -1))
}

/** As `redacted`, for many lines. The secrets are spelled again only when there are more of them. */
function createRedaction(secrets: ReadonlySet<string> = new Set()): (line: string) => string {
  let spelled: string[] = []
  let count = 0
  return (line) => {
    if (secrets.size !== count) spelled = [...secrets].flatMap(spellings)
    count = secrets.size
    return withoutSpellings(line, spelled)
  }
}

type LogOptions = {
  /** Secrets that no line may contain. More can be added later. */
  secrets?: ReadonlySet<string>
  traceId?: (() => string | undefined) | undefined
  destination?: DestinationStream
}

/** Logs one JSON object per line; on a terminal, readable text. Secrets are removed from every line. */
export function createLog(level: LevelWithSilent, { secrets, destination, traceId }: LogOptions = {}): Logger {
  const isTerminal = !destination && process.stdout.isTTY
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: createRedaction(secrets) },
    formatters: { level: (level: string) => ({ level }) },
    ...(traceId && { mixin: () => mixedIn(traceId()) }),
    ...(isTerminal && {
      formatters: {},
      transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  }
  if (isTerminal) return pino(options)
  return pino(options, destination ?? standardOutput())
}

const mixedIn = (traceId: string | undefined) => (traceId ? { traceId } : {})

/** How long a line waits for others. A write takes a tenth of the time of a small request. */
const waitMs = 10

/** Writes the lines of a few milliseconds together. None is lost when the process ends by itself. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true })
  let lines = ''
  const writeLines = () => {
    if (lines) output.write(lines)
    lines = ''
  }
  process.on('exit', writeLines)
  return {
    write(line) {
      if (!lines) setTimeout(writeLines, waitMs).unref()
      lines += line
    },
  }
}
