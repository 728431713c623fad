import { type LevelWithSilent, type Logger, pino } from 'pino'

/** JSON, one line each; readable on a terminal. */
export function createLog(level: LevelWithSilent): Logger {
  const onTerminal = process.stdout.isTTY
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    ...(onTerminal && {
      formatters: {},
      transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  })
}
