import { isUnavailable, isUniqueViolation } from '../../database/client/errors.ts'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { inBatchTurn } from '../../kernel/batches.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { DeadlineExceeded } from '../../kernel/deadline.ts'
import { emailKey } from '../../kernel/email.ts'
import { type Problem, TributaryError, unavailable } from '../../kernel/errors.ts'
import { type Place, readEntries } from '../../kernel/input/entries.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { giveWay } from '../../kernel/slices.ts'
import { type AcceptedImport, forgetAccepted, noteAccepted } from './accepted-imports.ts'
import { insertCoupons } from './coupons/service.ts'
import { affiliateProblems, affiliatesByEmail, insertAffiliates, referenceProblems } from './create.ts'
import { importColumns, ownFieldsIn } from './csv-columns.ts'
import { type FileLine, readImportFile } from './csv-file.ts'
import { readCampaigns, readCoupons } from './csv-references.ts'
import { type GroupColumn, readGroupColumn } from './groups/column.ts'
import { joinGroups } from './groups/join.ts'
import { type createAffiliateInput, importAffiliatesInput, importedAffiliateInput } from './input.ts'
import { listAffiliateFields } from './own-fields/definitions.ts'
import { tokenKey } from './tokens.ts'

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

/** How long an import of 2,000 lines may take, on a slow and busy machine. */
const importMs = 120_000
/** How many lines one transaction creates. On the embedded database, all other requests wait for it. */
const portionSize = 10
/** After so many lines, plans that were made for small tables are made anew: they read the whole table for each row. */
const plannedLines = 500

type ImportOptions = { campaignId?: string | undefined; dryRun?: boolean; recordEvents?: boolean }

/**
 * Creates the affiliates of a CSV file, with links and coupons: all, or none with every problem by line. All are
 * created in transactions of 10 lines, between which other requests have the database. The next process finishes an
 * import that a killed one has begun. If the client disconnects, the import ends after the present transaction, and
 * what was created stays. Existing affiliates, by e-mail, are skipped, so a file can be imported again. A dry run is
 * rolled back. Events are recorded only if asked for.
 * @throws INVALID_INPUT if the file as a whole cannot be read; UNAVAILABLE, with the number of affiliates that were
 *   created
 */
export async function importAffiliates(ctx: ProgramCtx, raw: unknown): Promise<ImportReport> {
  const { csv, ...options } = await parseInput(importAffiliatesInput, raw, async (readable) =>
    (await referenceProblems(ctx, [{ campaignId: readable.campaignId }])).flat(),
  )
  const { dryRun = false } = options
  // Other requests run between the portions, and each portion has a limit of its own.
  ctx.db.deadline?.extend(importMs)
  const file = await readImportFile(ctx, csv, await listAffiliateFields(ctx.db, ctx))
  const checked = await checkLines(ctx, file, options.campaignId)
  if (checked.some(({ problems }) => problems.length > 0)) return reportOf(checked.map(leftOut), dryRun)
  const isAtOnce = dryRun || file.length <= portionSize
  const acceptedId = isAtOnce ? null : await noteAccepted(ctx, { csv, ...options })
  const lines: ImportedLine[] = []
  try {
    for await (const portion of createLines(ctx, file, options, checked)) lines.push(...portion)
  } catch (error) {
    if (acceptedId === null) throw error
    throw await endOf({ acceptedId, ctx, error, lines, total: file.length })
  }
  if (acceptedId !== null) await forgetAccepted(ctx, acceptedId)
  return reportOf(lines, dryRun)
}

type Ended = { acceptedId: string; ctx: ProgramCtx; error: unknown; lines: ImportedLine[]; total: number }

/** The error of an import that ended before its last line. Only one that its client has left is not finished later. */
async function endOf({ acceptedId, ctx, error, lines, total }: Ended): Promise<unknown> {
  const { created, skipped } = reportOf(lines, false)
  const isOver = error instanceof DeadlineExceeded
  if (ctx.signal?.aborted && !isOver) {
    await forgetAccepted(ctx, acceptedId)
    ctx.log.info({ created, skipped, lines: total }, 'import of affiliates ended: the client has gone')
    return error
  }
  if (!isOver && !isUnavailable(error)) return error
  ctx.log.warn({ err: error, created, skipped, lines: total }, 'import of affiliates ended before its last line')
  return unavailable(
    `${created} of ${total} affiliates were created${skipped > 0 ? `, and ${skipped} existed` : ''}. The service creates the others within minutes. The file can also be sent again: existing affiliates are skipped.`,
  )
}

/** Creates what is missing of an import that was accepted before. */
export async function finishImport(ctx: ProgramCtx, { csv, ...options }: AcceptedImport['input']): Promise<void> {
  const file = await readImportFile(ctx, csv, await listAffiliateFields(ctx.db, ctx))
  for await (const _portion of createLines(ctx, file, options));
}

type CheckedLine = {
  line: number
  existingId: string | undefined
  input: Awaited<ReturnType<typeof readEntries<typeof createAffiliateInput>>>[number]['input']
  coupons: string[]
  groupIds: string[]
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
  await giveWay(ctx)
  const newLines = file.filter((_line, index) => !existing.has(keys[index] as string))
  const campaigns = newLines.map(({ fields }) =>
    fields.campaign?.trim() ? findCampaign(fields.campaign.trim()) : defaultCampaignId,
  )
  const raws = newLines.map(({ fields }, index) => {
    const campaignId = campaigns[index]
    const ownFields = ownFieldsIn(fields)
    return {
      ...fields,
      campaignId: typeof campaignId === 'object' ? undefined : campaignId,
      ...(ownFields.length > 0 && { ownFields }),
    }
  })
  const entries = await readEntries(importedAffiliateInput, raws, async (readable) => {
    await giveWay(ctx)
    return affiliateProblems(ctx, readable)
  })
  await giveWay(ctx)
  const coupons = await readCoupons(ctx, newLines)
  await giveWay(ctx)
  const groups = await readGroupColumn(ctx, file)
  const checked = new Map(
    newLines.map((line, index) => {
      const { input, problems: inputProblems = [] } = entries[index] ?? {}
      const { tokens = [], problems: couponProblems = [] } = coupons[index] ?? {}
      const campaign = campaigns[index]
      const campaignProblems = typeof campaign === 'object' ? [campaign] : []
      const problems = [...line.problems, ...inputProblems, ...campaignProblems, ...couponProblems]
      return [line, { input, coupons: tokens, problems: problems.map(withColumn) }]
    }),
  )
  return file.map((line, index) => {
    const { input, coupons: tokens = [], problems = [] } = checked.get(line) ?? {}
    const { groupIds, problems: groupProblems } = groups[index] as GroupColumn
    return {
      line: line.line,
      existingId: existing.get(keys[index] as string),
      input: input as CheckedLine['input'],
      coupons: tokens,
      groupIds,
      problems: [...problems, ...groupProblems],
    }
  })
}

const columnOf = new Map<string, string>(Object.entries(importColumns).map(([column, field]) => [field, column]))

/** Problems of own fields begin with the name of the field, which is that of the column. */
const withColumn = ({ field, path, message }: Problem): Problem =>
  path?.[0] === 'ownFields'
    ? { field: message.replace(/\W.*/s, ''), message }
    : { ...(path && { path }), field: field && (columnOf.get(field) ?? field), message }

/**
 * Yields what became of each portion of lines.
 * @param checked the lines as they were checked a moment ago
 */
async function* createLines(
  ctx: ProgramCtx,
  file: FileLine[],
  options: ImportOptions,
  checked?: CheckedLine[],
): AsyncGenerator<ImportedLine[]> {
  const reserved = new Set(file.flatMap(({ fields: { token } }) => (token ? tokenKey(token.trim()) : [])))
  for (let at = 0; at < file.length; at += portionSize) {
    await giveWay(ctx)
    const end = at + portionSize
    const check = () => checkLines(ctx, file.slice(at, end), options.campaignId)
    const replans = at % plannedLines === plannedLines - portionSize
    const insert = (portion: CheckedLine[]) => insertLines(ctx, portion, options, { reserved, replans })
    try {
      yield await insert(checked?.slice(at, end) ?? (await check()))
    } catch (error) {
      // Another request has taken an e-mail, a token or a coupon meanwhile, or deleted a group.
      if (!isUniqueViolation(error) && !isOutdated(error)) throw error
      yield await insert(await check())
    }
  }
}

const isOutdated = (error: unknown) =>
  error instanceof TributaryError && (error.code === 'INVALID_INPUT' || error.code === 'NOT_FOUND')

async function insertLines(
  { isSilent: _, ...ctx }: ProgramCtx,
  lines: CheckedLine[],
  { dryRun = false, recordEvents = false }: ImportOptions,
  { reserved, replans }: { reserved: ReadonlySet<string>; replans: boolean },
): Promise<ImportedLine[]> {
  const newLines = lines.filter(({ existingId, problems }) => existingId === undefined && problems.length === 0)
  const joining = lines.flatMap(({ existingId: affiliateId, problems, groupIds }) =>
    affiliateId === undefined || problems.length > 0 ? [] : groupIds.map((groupId) => ({ affiliateId, groupId })),
  )
  if (newLines.length + joining.length === 0) return lines.map(leftOut)
  const recorder = { ...ctx, isSilent: !recordEvents }
  const rollback = {}
  const ids = new Map<CheckedLine, string>()
  const insert = async (tx: Prisma.TransactionClient) => {
    const now = ctx.now()
    const inputs = newLines.map(({ input }) => input)
    const place: Place = ({ message }, index) => ({
      field: 'csv',
      message: `Line ${newLines[index]?.line}: ${message}`,
    })
    const affiliates = await insertAffiliates(tx, recorder, inputs, now, place, reserved)
    const coupons = newLines.flatMap(({ coupons: tokens }, index) =>
      tokens.map((token) => ({ affiliateId: affiliates[index]?.id as string, token })),
    )
    if (coupons.length > 0) await insertCoupons(tx, recorder, coupons, now)
    const joiningToo = newLines.flatMap(({ groupIds }, index) =>
      groupIds.map((groupId) => ({ affiliateId: affiliates[index]?.id as string, groupId })),
    )
    await joinGroups(tx, recorder, [...joining, ...joiningToo], now)
    if (replans) await tx.$executeRaw`discard plans`
    if (dryRun) throw rollback
    for (const [index, line] of newLines.entries()) ids.set(line, affiliates[index]?.id as string)
  }
  await inBatchTurn(ctx, () => withTransaction(ctx.db, insert)).catch((error) => {
    if (error !== rollback) throw error
  })
  const created = new Set(newLines)
  return lines.map((line) =>
    created.has(line)
      ? { line: line.line, outcome: 'created', affiliateId: ids.get(line) ?? null, problems: [] }
      : leftOut(line),
  )
}

/** What becomes of a line that is not created: because of itself, of its problems, or of those of other lines. */
const leftOut = ({ line, existingId, problems }: CheckedLine): ImportedLine => {
  const affiliateId = existingId ?? null
  if (problems.length > 0) return { line, outcome: 'invalid', affiliateId, problems }
  return { line, outcome: affiliateId === null ? 'not_created' : 'skipped', affiliateId, problems }
}

function reportOf(lines: ImportedLine[], dryRun: boolean): ImportReport {
  const count = (wanted: ImportedLine['outcome']) => lines.filter(({ outcome }) => outcome === wanted).length
  return { dryRun, created: count('created'), skipped: count('skipped'), failed: count('invalid'), lines }
}
