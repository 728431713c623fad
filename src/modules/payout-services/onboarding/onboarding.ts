import type { PayoutRecipient } from '../../../generated/prisma/client.ts'
import type { PayoutMethod, PayoutServiceKind } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, refused } from '../../../kernel/errors.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { portalUrl } from '../../../kernel/public-url.ts'
import { findAffiliate } from '../../affiliates/find.ts'
import { updateAffiliate } from '../../affiliates/service.ts'
import { changedPayoutFields, holdAfter, type Mailing, mailPayoutChange } from '../../me/payout-address.ts'
import { addressedMethods, addresses } from '../../payout-methods/addresses.ts'
import { payeeNameOf } from '../../payout-methods/payee.ts'
import { asRefusal, noteUse, type Opened, openService, presentAccess } from '../access.ts'
import { findConnected, listPayoutServices } from '../find.ts'
import { kinds } from '../kinds/all.ts'
import type { Verified } from '../kinds/kind.ts'
import { ourIdOf } from '../our-ids.ts'
import type { ServiceSettings } from '../settings.ts'
import { refreshPayoutOnboardingInput, startPayoutOnboardingInput } from './input.ts'

export type OnboardingCtx = ProgramCtx & Mailing & { affiliateId: string }

/** The methods that affiliates can choose: of those that a service alone pays, the ones whose page asks them. */
export async function offeredMethods(ctx: ProgramCtx, settings: ServiceSettings): Promise<PayoutMethod[]> {
  const asked = new Set<PayoutMethod>()
  for (const row of await listPayoutServices(ctx)) {
    const { onboarding, method } = kinds[row.service] ?? {}
    const access = onboarding && presentAccess(settings, row)
    if (access && method && onboarding.hasPage(access)) asked.add(method)
  }
  return addressedMethods.filter(({ method, isHosted }) => !isHosted || asked.has(method)).map(({ method }) => method)
}

const keyOf = ({ program, affiliateId }: OnboardingCtx, service: PayoutServiceKind) => ({
  programId_affiliateId_service: { programId: program.id, affiliateId, service },
})

/** @throws REFUSED */
async function openOnboarding(ctx: OnboardingCtx, settings: ServiceSettings, service: PayoutServiceKind) {
  const opened = openService(settings, await findConnected(ctx, service))
  const { onboarding, name } = opened.kind
  if (!onboarding) throw refused(`${name} has no page that asks for payout details: enter the address instead.`)
  return { opened, onboarding }
}

/**
 * Begins, or goes on with, giving the payout details to a service, on its own page. The same affiliate is one payee
 * there, however often it begins.
 * @returns the address of the page, which works once
 * @throws INVALID_INPUT; REFUSED with what the service says
 */
export async function startPayoutOnboarding(
  ctx: OnboardingCtx,
  settings: ServiceSettings,
  raw: unknown,
): Promise<string> {
  const { service, country } = await parseInput(startPayoutOnboardingInput, raw)
  const { opened, onboarding } = await openOnboarding(ctx, settings, service)
  const { db, program, affiliateId } = ctx
  const where = keyOf(ctx, service)
  const known = await knownThere(ctx, opened, where)
  if (!known && country === undefined) throw invalid([problem('country', "can't be blank the first time")])
  const affiliate = await findAffiliate(ctx, affiliateId)
  const returnUrl = portalUrl(ctx.affiliateUrl, program, 'payout-address')
  try {
    const recipient =
      known?.recipient ??
      (await onboarding.create(opened.access, {
        ourId: ourIdOf(affiliateId),
        email: affiliate.email,
        name: payeeNameOf(affiliate),
        isBusiness: affiliate.recipientType === 'business',
        country: country as string,
      }))
    const now = ctx.now()
    const dates = { checkedAt: now, createdAt: now, updatedAt: now }
    await db.payoutRecipient.upsert({
      where,
      create: { programId: program.id, affiliateId, service, recipient, isReady: false, ...dates },
      update: { updatedAt: now },
    })
    const url = await onboarding.link(opened.access, recipient, { returnUrl, refreshUrl: returnUrl })
    await noteUse(ctx, opened, { use: 'asked' })
    return url
  } catch (error) {
    await noteUse(ctx, opened, { use: 'asked' }, error)
    throw asRefusal(error)
  }
}

/**
 * The affiliate as the service knows them. The program may pay from another account of the service since, which does
 * not know them: then they are forgotten here, and begin anew.
 */
async function knownThere(
  { db }: OnboardingCtx,
  { kind, access }: Opened,
  where: ReturnType<typeof keyOf>,
): Promise<PayoutRecipient | null> {
  const known = await db.payoutRecipient.findUnique({ where })
  if (!known) return null
  const verified = await kind.onboarding?.verify(access, known.recipient).catch((error: unknown) => {
    throw asRefusal(error)
  })
  if (!verified?.isGone) return known
  await db.payoutRecipient.deleteMany({ where: where.programId_affiliateId_service })
  return null
}

/**
 * Asks the service whether it can pay the affiliate. The first time that it can, and if it pays another bank account
 * since, the affiliate has another payout address: it is announced by mail, and payouts wait.
 * @throws INVALID_INPUT; REFUSED with what the service says
 */
export async function refreshPayoutOnboarding(
  ctx: OnboardingCtx,
  settings: ServiceSettings,
  raw: unknown,
): Promise<PayoutRecipient> {
  const { service } = await parseInput(refreshPayoutOnboardingInput, raw)
  const { opened, onboarding } = await openOnboarding(ctx, settings, service)
  const known = await ctx.db.payoutRecipient.findUnique({ where: keyOf(ctx, service) })
  if (!known) throw refused(`${opened.kind.name} does not know you yet: begin with startPayoutOnboarding.`)
  const verified = await onboarding.verify(opened.access, known.recipient).catch(async (error: unknown) => {
    await noteUse(ctx, opened, { use: 'asked' }, error)
    throw asRefusal(error)
  })
  await noteUse(ctx, opened, { use: 'asked' })
  return takeOver(ctx, opened.kind.method, known, verified)
}

/**
 * Takes over what a service says of a payee whom it names, such as another bank account. Payees of others are left out.
 * @throws ServiceProblem; REFUSED after many changes
 */
export async function askForPayee(
  ctx: ProgramCtx & Mailing,
  { kind, access, row: { service } }: Opened,
  recipient: string,
): Promise<void> {
  const { db, program } = ctx
  const known = await db.payoutRecipient.findFirst({ where: { programId: program.id, service, recipient } })
  if (!known || !kind.onboarding) return
  const { affiliateId } = known
  // The affiliate has changed it, on the page of the service.
  const actor = { kind: 'affiliate', affiliateId } as const
  await takeOver({ ...ctx, affiliateId, actor }, kind.method, known, await kind.onboarding.verify(access, recipient))
}

async function takeOver(
  ctx: OnboardingCtx,
  method: PayoutMethod,
  known: PayoutRecipient,
  { isReady, missing, address }: Verified,
): Promise<PayoutRecipient> {
  if (isReady) await setAddress(ctx, method, address)
  const now = ctx.now()
  return ctx.db.payoutRecipient.update({
    where: keyOf(ctx, known.service),
    data: { isReady, missing, checkedAt: now, updatedAt: now },
  })
}

async function setAddress(ctx: OnboardingCtx, method: PayoutMethod, address: string): Promise<void> {
  const paid = addresses[method]?.paid
  if (!paid) return
  await updateAffiliate(
    ctx,
    ctx.affiliateId,
    { [paid]: address },
    {
      columns: (before, given, at) =>
        changedPayoutFields(before, given).length === 0 ? {} : { payoutsHeldUntil: holdAfter(ctx, before, at) },
      async afterwards(tx, before, after, at) {
        if (changedPayoutFields(before, after).length > 0) await mailPayoutChange(tx, ctx, before, after, at)
      },
    },
  )
}
