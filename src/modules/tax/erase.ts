import type { Prisma } from '../../generated/prisma/client.ts'

/** Removes what an affiliate has signed about their taxes, in all versions. */
export const eraseTaxProfiles = async (
  tx: Prisma.TransactionClient,
  programId: string,
  affiliateId: string,
): Promise<void> => {
  await tx.taxProfile.deleteMany({ where: { programId, affiliateId } })
}
