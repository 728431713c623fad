/** A Prisma `where`. */
export type Rule = Record<string, unknown>

/** Escapes the wildcards of LIKE, % and _: Prisma does not. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
