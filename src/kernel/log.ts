import { type LevelWithSilent, type Logger, pino } from 'pino'

/** Logs one JSON object per line; on a terminal, readable text. */
export function createLog(level: LevelWithSilent): Logger {
  const isTerminal = process.stdout.isTTY
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    ...(isTerminal && {
      formatters: {},
      transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  })
}
