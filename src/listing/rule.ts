/** A Prisma `where`. */
export type Rule = Record<string, unknown>
