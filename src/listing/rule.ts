/** A Prisma `where`. */
export type Rule = Record<string, unknown>

/** Matches no row. An empty OR would match every row at some places. */
export const noRow: Rule = { id: { in: [] } }

/** Escapes the wildcards of LIKE, % and _: Prisma does not. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
