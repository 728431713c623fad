import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** JSON, one line each; readable on a terminal. */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const onTerminal = process.stdout.isTTY
  return pino({
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    ...(onTerminal && {
      formatters: {},
      transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  })
}
