import { withTransaction, writeUnique } from '../../database/transaction.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import type { Problem } from '../../kernel/errors.ts'
import { readEntries } from '../../kernel/input/entries.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { createAffiliateCouponInput } from './coupons/input.ts'
import { insertCoupons, takenCoupons } from './coupons/service.ts'
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
 * Makes the affiliates of a CSV file, with their links and coupons, all or none: where a line has a problem, nothing is
 * made and every problem is told by its line. Somebody who is an affiliate already, by e-mail, is left as they are, so
 * that a file can be imported again. A dry run is the import itself, rolled back.
 *
 * @throws INVALID_INPUT where the file can not be read as a whole
 */
export async function importAffiliates(ctx: ProgramCtx, raw: unknown): Promise<ImportReport> {
  const {
    csv,
    campaignId,
    dryRun = false,
  } = await parseInput(importAffiliatesInput, raw, async (readable) =>
    (await referenceProblems(ctx, [{ campaignId: readable.campaignId }])).flat(),
  )
  const file = readImportFile(csv)
  return writeUnique(
    () => look(ctx, file, campaignId),
    async (lines) => {
      const isRefused = lines.some(({ problems }) => problems.length > 0)
      const ids = isRefused ? [] : await write(ctx, lines, dryRun)
      return reportOf(lines, ids, { dryRun, isRefused })
    },
  )
}

type Looked = {
  line: number
  /** The affiliate who has the e-mail already. */
  holder: string | undefined
  input: Awaited<ReturnType<typeof readEntries<typeof createAffiliateInput>>>[number]['input']
  coupon: string | undefined
  problems: Problem[]
}

/** Every line with what is wrong with it. */
async function look(ctx: ProgramCtx, file: FileLine[], defaultCampaignId: string | undefined): Promise<Looked[]> {
  const keys = file.map(({ fields }) => emailKey(fields.email?.trim() ?? ''))
  const holders = await affiliatesByEmail(ctx, keys)
  const campaigns = await readCampaigns(ctx)
  const wanted = file.filter((_line, index) => !holders.has(keys[index] as string))
  const named = wanted.map(({ fields }) =>
    fields.campaign?.trim() ? campaigns(fields.campaign.trim()) : defaultCampaignId,
  )
  const raws = wanted.map(({ fields }, index) => {
    const campaignId = named[index]
    return { ...fields, campaignId: typeof campaignId === 'object' ? undefined : campaignId }
  })
  const entries = await readEntries(createAffiliateInput, raws, (readable) => affiliateProblems(ctx, readable))
  const coupons = await readCoupons(ctx, wanted)
  const looked = new Map(
    wanted.map((one, index) => {
      const { input, problems: found = [] } = entries[index] ?? {}
      const { coupon, problems: ofCoupon = [] } = coupons[index] ?? {}
      const campaign = named[index]
      const problems = [...one.problems, ...found, ...(typeof campaign === 'object' ? [campaign] : []), ...ofCoupon]
      return [one, { input, coupon, problems: problems.map(inColumns) }]
    }),
  )
  return file.map((one, index) => {
    const { input, coupon, problems = [] } = looked.get(one) ?? {}
    return {
      line: one.line,
      holder: holders.get(keys[index] as string),
      input: input as Looked['input'],
      coupon,
      problems,
    }
  })
}

const columnOf = new Map<string, string>(Object.entries(importColumns).map(([column, field]) => [field, column]))

/** A problem of the input, with the name of the file's column. */
const inColumns = (one: Problem): Problem => ({ ...one, field: one.field && (columnOf.get(one.field) ?? one.field) })

/** Finds a campaign by its id, or by its name, whatever its case; or says why not. */
async function readCampaigns(ctx: ProgramCtx): Promise<(words: string) => string | Problem> {
  const campaigns = await ctx.db.campaign.findMany({
    where: { programId: ctx.program.id },
    select: { id: true, name: true },
  })
  const byWords = new Map<string, Set<string>>()
  for (const { id, name } of campaigns) {
    for (const words of [id, name.toLowerCase()]) byWords.set(words, (byWords.get(words) ?? new Set()).add(id))
  }
  return (words) => {
    const [id, another] = byWords.get(words.toLowerCase()) ?? []
    if (id === undefined) return { field: 'campaign', message: 'Campaign not found.' }
    return another === undefined ? id : problem('campaign', 'is the name of several: give its id')
  }
}

async function readCoupons(ctx: ProgramCtx, lines: FileLine[]): Promise<{ coupon?: string; problems: Problem[] }[]> {
  const read = lines.map(({ fields: { coupon = '' } }) => {
    if (coupon.trim() === '') return { problems: [] }
    const { data, error } = createAffiliateCouponInput.shape.token.safeParse(coupon)
    return error
      ? { problems: [problem('coupon', error.issues[0]?.message ?? 'is not valid')] }
      : { coupon: data, problems: [] }
  })
  const taken = await takenCoupons(
    ctx,
    read.map(({ coupon: token }) => ({ token })),
  )
  return read.map((one, index) =>
    taken[index] ? { ...one, problems: [problem('coupon', 'is already in use.')] } : one,
  )
}

/** @returns the ids of the new affiliates, in the order of the lines; none of a dry run, where they name nothing */
async function write(ctx: ProgramCtx, lines: Looked[], dryRun: boolean): Promise<string[]> {
  const news = lines.filter(({ holder }) => holder === undefined)
  if (news.length === 0) return []
  const rollback = {}
  const run = withTransaction(ctx.db, async (tx) => {
    const now = ctx.now()
    const inputs = news.map(({ input }) => input)
    const affiliates = await insertAffiliates(tx, ctx, inputs, now, (one, index) => {
      return { field: 'csv', message: `Line ${news[index]?.line}: ${one.message}` }
    })
    const coupons = news.flatMap(({ coupon: token }, index) =>
      token === undefined ? [] : { affiliateId: affiliates[index]?.id as string, token },
    )
    if (coupons.length > 0) await insertCoupons(tx, ctx, coupons, now)
    if (dryRun) throw rollback
    return affiliates.map(({ id }) => id)
  })
  return run.catch((error) => {
    if (error !== rollback) throw error
    return []
  })
}

function reportOf(
  lines: Looked[],
  ids: string[],
  { dryRun, isRefused }: { dryRun: boolean; isRefused: boolean },
): ImportReport {
  const next = ids.values()
  const told = lines.map(({ line, holder, problems }): ImportedLine => {
    if (holder !== undefined) return { line, outcome: 'skipped', affiliateId: holder, problems }
    if (problems.length > 0) return { line, outcome: 'invalid', affiliateId: null, problems }
    return { line, outcome: isRefused ? 'not_created' : 'created', affiliateId: next.next().value ?? null, problems }
  })
  const count = (wanted: ImportedLine['outcome']) => told.filter(({ outcome }) => outcome === wanted).length
  return { dryRun, created: count('created'), skipped: count('skipped'), failed: count('invalid'), lines: told }
}
