import type { Prisma } from '../../generated/prisma/client.ts'

/** What a program has a number of is created by one transaction after the other: they wait for this lock. */
export const lockProgram = (tx: Prisma.TransactionClient, programId: string): Promise<unknown> =>
  tx.$queryRaw`select 1 from programs where id = ${programId}::uuid for no key update`
