import { en } from './en.ts'

/** What the portal says. Read it while rendering: it changes with the language. */
export const texts = en
