import { setImmediate } from 'node:timers/promises'
import { withTransaction, writeUnique } from '../../database/transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import type { Problem } from '../../kernel/errors.ts'
import { readEntries } from '../../kernel/input/entries.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { createAffiliateCouponInput } from './coupons/input.ts'
import { areCouponTokensTaken, insertCoupons } from './coupons/service.ts'
import { affiliateProblems, affiliatesByEmail, insertAffiliates, referenceProblems } from './create.ts'
import { type FileLine, importColumns, readImportFile } from './csv-file.ts'
import { createAffiliateInput, importAffiliatesInput } from './input.ts'

export const importOutcomes = ['created', 'skipped', 'invalid', 'not_created'] as const

export type ImportedLine = {
  line: number
  outcome: (typeof importOutcomes)[number]
  affiliateId: string | null
  problems: Problem[]
}
export type ImportReport = {
  dryRun: boolean
  created: number
  skipped: number
  failed: number
  lines: ImportedLine[]
}

/**
 * Creates the affiliates of a CSV file, with links and coupons: all, or none with every problem by line. Existing
 * affiliates, by e-mail, are skipped, so a file can be imported again. A dry run is rolled back. Events are recorded
 * only if asked for.
 * @throws INVALID_INPUT if the file as a whole cannot be read
 */
export async function importAffiliates(ctx: ProgramCtx, raw: unknown): Promise<ImportReport> {
  const {
    csv,
    campaignId,
    dryRun = false,
    recordEvents = false,
  } = await parseInput(importAffiliatesInput, raw, async (readable) =>
    (await referenceProblems(ctx, [{ campaignId: readable.campaignId }])).flat(),
  )
  const file = await readImportFile(csv)
  return writeUnique(
    () => checkLines(ctx, file, campaignId),
    async (lines) => {
      const isRejected = lines.some(({ problems }) => problems.length > 0)
      const ids = isRejected ? [] : await insertLines({ ...ctx, isSilent: !recordEvents }, lines, dryRun)
      return reportOf(lines, ids, { dryRun, isRejected })
    },
  )
}

type CheckedLine = {
  line: number
  existingId: string | undefined
  input: Awaited<ReturnType<typeof readEntries<typeof createAffiliateInput>>>[number]['input']
  coupon: string | undefined
  problems: Problem[]
}

async function checkLines(
  ctx: ProgramCtx,
  file: FileLine[],
  defaultCampaignId: string | undefined,
): Promise<CheckedLine[]> {
  const keys = file.map(({ fields }) => emailKey(fields.email?.trim() ?? ''))
  const existing = await affiliatesByEmail(ctx, keys)
  const findCampaign = await readCampaigns(ctx)
  // The embedded database answers without letting other requests in between.
  await setImmediate()
  const newLines = file.filter((_line, index) => !existing.has(keys[index] as string))
  const campaigns = newLines.map(({ fields }) =>
    fields.campaign?.trim() ? findCampaign(fields.campaign.trim()) : defaultCampaignId,
  )
  const raws = newLines.map(({ fields }, index) => {
    const campaignId = campaigns[index]
    return { ...fields, campaignId: typeof campaignId === 'object' ? undefined : campaignId }
  })
  const entries = await readEntries(createAffiliateInput, raws, async (readable) => {
    await setImmediate()
    return affiliateProblems(ctx, readable)
  })
  await setImmediate()
  const coupons = await readCoupons(ctx, newLines)
  await setImmediate()
  const checked = new Map(
    newLines.map((line, index) => {
      const { input, problems: inputProblems = [] } = entries[index] ?? {}
      const { coupon, problems: couponProblems = [] } = coupons[index] ?? {}
      const campaign = campaigns[index]
      const campaignProblems = typeof campaign === 'object' ? [campaign] : []
      const problems = [...line.problems, ...inputProblems, ...campaignProblems, ...couponProblems]
      return [line, { input, coupon, problems: problems.map(withColumn) }]
    }),
  )
  return file.map((line, index) => {
    const { input, coupon, problems = [] } = checked.get(line) ?? {}
    return {
      line: line.line,
      existingId: existing.get(keys[index] as string),
      input: input as CheckedLine['input'],
      coupon,
      problems,
    }
  })
}

const columnOf = new Map<string, string>(Object.entries(importColumns).map(([column, field]) => [field, column]))

const withColumn = (problem: Problem): Problem => ({
  ...problem,
  field: problem.field && (columnOf.get(problem.field) ?? problem.field),
})

/** Returns a function that finds a campaign's id by id or by name (ignoring case), or returns the problem. */
async function readCampaigns(ctx: ProgramCtx): Promise<(idOrName: string) => string | Problem> {
  const campaigns = await ctx.db.campaign.findMany({
    where: { programId: ctx.program.id },
    select: { id: true, name: true },
  })
  const idsByKey = new Map<string, Set<string>>()
  for (const { id, name } of campaigns) {
    for (const key of [id, name.toLowerCase()]) idsByKey.set(key, (idsByKey.get(key) ?? new Set()).add(id))
  }
  return (idOrName) => {
    const [id, another] = idsByKey.get(idOrName.toLowerCase()) ?? []
    if (id === undefined) return { field: 'campaign', message: 'Campaign not found.' }
    return another === undefined ? id : problem('campaign', 'is the name of several campaigns: give an id instead')
  }
}

type CouponColumn = { coupon?: string; problems: Problem[] }

async function readCoupons(ctx: ProgramCtx, lines: FileLine[]): Promise<CouponColumn[]> {
  const coupons = lines.map(({ fields: { coupon = '' } }): CouponColumn => {
    if (coupon.trim() === '') return { problems: [] }
    const { data, error } = createAffiliateCouponInput.shape.token.safeParse(coupon)
    return error
      ? { problems: [problem('coupon', error.issues[0]?.message ?? 'is not valid')] }
      : { coupon: data, problems: [] }
  })
  const taken = await areCouponTokensTaken(
    ctx,
    coupons.map(({ coupon: token }) => ({ token })),
  )
  return coupons.map((coupon, index) =>
    taken[index] ? { ...coupon, problems: [problem('coupon', 'is already in use.')] } : coupon,
  )
}

/** @returns the ids of the new affiliates, in the order of the lines; empty for a dry run, whose ids would not exist */
async function insertLines(ctx: ProgramCtx, lines: CheckedLine[], dryRun: boolean): Promise<string[]> {
  const newLines = lines.filter(({ existingId }) => existingId === undefined)
  if (newLines.length === 0) return []
  const rollback = {}
  const insert = async (tx: Prisma.TransactionClient) => {
    const now = ctx.now()
    const inputs = newLines.map(({ input }) => input)
    const affiliates = await insertAffiliates(tx, ctx, inputs, now, ({ message }, index) => {
      return { field: 'csv', message: `Line ${newLines[index]?.line}: ${message}` }
    })
    const coupons = newLines.flatMap(({ coupon: token }, index) =>
      token === undefined ? [] : { affiliateId: affiliates[index]?.id as string, token },
    )
    if (coupons.length > 0) await insertCoupons(tx, ctx, coupons, now)
    if (dryRun) throw rollback
    return affiliates.map(({ id }) => id)
  }
  return withTransaction(ctx.db, insert, { isLong: true }).catch((error) => {
    if (error !== rollback) throw error
    return []
  })
}

function reportOf(
  checkedLines: CheckedLine[],
  ids: string[],
  { dryRun, isRejected }: { dryRun: boolean; isRejected: boolean },
): ImportReport {
  const newIds = ids.values()
  const lines = checkedLines.map(({ line, existingId, problems }): ImportedLine => {
    if (existingId !== undefined) return { line, outcome: 'skipped', affiliateId: existingId, problems }
    if (problems.length > 0) return { line, outcome: 'invalid', affiliateId: null, problems }
    return {
      line,
      outcome: isRejected ? 'not_created' : 'created',
      affiliateId: newIds.next().value ?? null,
      problems,
    }
  })
  const count = (wanted: ImportedLine['outcome']) => lines.filter(({ outcome }) => outcome === wanted).length
  return { dryRun, created: count('created'), skipped: count('skipped'), failed: count('invalid'), lines }
}
