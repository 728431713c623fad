import type { Prisma } from '../../generated/prisma/client.ts'

/**
 * Removes the name of who agreed to self-billing. Invoices stay whole: Articles 244 and 247 of Directive 2006/112/EC
 * demand that they are stored, which Article 17(3)(b) of Regulation (EU) 2016/679 allows.
 */
export async function eraseAgreements(
  tx: Prisma.TransactionClient,
  programId: string,
  affiliateId: string,
): Promise<void> {
  await tx.$executeRaw`select set_config('tributary.erases_person', 'on', true)`
  await tx.selfBillingAgreement.updateMany({ where: { programId, affiliateId }, data: { signedName: null } })
  await tx.$executeRaw`select set_config('tributary.erases_person', 'off', true)`
}
