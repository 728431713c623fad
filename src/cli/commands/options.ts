import { type Command, InvalidArgumentError, Option } from 'commander'

export type ResultOptions = { json?: boolean }

export const withJson = (command: Command): Command =>
  command.option('--json', 'print JSON, also on a terminal; JSON is what a pipe gets')

const programFlags = '--program <program>'

/** The program that a command is about. Without it, `run` sets the only program of the installation. */
export class ProgramOption extends Option {}

export const programOption = (): Option =>
  new ProgramOption(programFlags, 'the slug or the id of the program (default: the only one)').argParser(filled)

/** For what cannot be undone. */
export const namedProgramOption = (): Option =>
  new Option(programFlags, 'the slug or the id of the program').argParser(filled).makeOptionMandatory()

/** For a command that reads a file, which can name the program. */
export const programOfFileOption = (): Option =>
  new Option(programFlags, 'the slug or the id of the program (default: that of the file, or the only one)').argParser(
    filled,
  )

export const idOption = (what: string): Option =>
  new Option('--id <id>', `the id of ${what}`).argParser(filled).makeOptionMandatory()

/** Rejects a blank value: a script with an unset variable would pass one. */
export function filled(value: string): string {
  if (!value.trim()) throw new InvalidArgumentError('It is blank.')
  return value
}

export const names = (value: string): string[] =>
  filled(value)
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** JSON would turn NaN into null, and the default would be used. */
export function number(value: string): number {
  if (!value.trim() || !Number.isFinite(Number(value))) throw new InvalidArgumentError('It must be a number.')
  return Number(value)
}

/** Words in any case. An unknown word is rejected: a mistyped READ must not create a key with FULL access. */
export const oneOf =
  (...words: string[]) =>
  (value: string): string => {
    const word = value.trim().toUpperCase()
    if (!words.includes(word)) throw new InvalidArgumentError(`It must be ${words.join(' or ')}.`)
    return word
  }

/** A time or a day, as 2026-03-01T00:00:00Z or 2026-03-01: midnight UTC. */
export function time(value: string): string {
  const isTime = /^\d{4}-\d{2}-\d{2}(T.+(Z|[+-]\d{2}:\d{2}))?$/.test(value.trim())
  if (!isTime || Number.isNaN(Date.parse(value)))
    throw new InvalidArgumentError('It is no time. Write 2026-03-01 or 2026-03-01T00:00:00Z.')
  return new Date(value.trim()).toISOString()
}
