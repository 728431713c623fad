import { readFile, stat } from 'node:fs/promises'
import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { rulesSchema } from '../../modules/rule-plans/file-schema.ts'
import { commissionRuleConditionsInput } from '../../modules/rules/conditions/all.ts'
import { isFollowed } from '../../modules/rules/rule.ts'
import { onlyProgram } from '../mutate.ts'
import { findServer, OperationFailed, operate } from '../operate.ts'
import { report, reportResult } from '../report.ts'
import { type CampaignRules, readRulesFile, writeRules } from '../rules/file.ts'
import { planText, type ShownPlan } from '../rules/plan-text.ts'
import { type Replay, showReplay } from '../rules/progress.ts'
import { findSavedPlan, outOfDate, type SavedPlan, savePlan } from '../rules/saved-plan.ts'
import { filled, programOfFileOption, programOption, type ResultOptions, time, withJson } from './options.ts'

type Options = ResultOptions & { program?: string; since?: string; from?: string; save?: boolean; plan?: string }

/** The rules of all campaigns as one file, for a repository and a review. */
export const rulesCommand = (): Command =>
  new Command('rules')
    .description('read, plan and apply the commission rules of a program as one file')
    .addCommand(
      new Command('export')
        .description('print the rules of all campaigns as YAML')
        .addOption(programOption())
        .action(({ program }) => report(async () => (await fileOf(program)).trimEnd())),
    )
    .addCommand(
      withJson(new Command('plan'))
        .description('show what the rules of a file would change, and cost for past sales; exit status 2 if anything')
        .argument('<file>', 'the file, as `rules export` prints it', filled)
        .addOption(programOfFileOption())
        .option('--since <time>', 'the sales that occurred from then on (default: 12 months ago)', time)
        .option('--save', 'keep the plan beside the file, as <file>.plan.json, to be applied by its id')
        .action((file, options: Options) => plan(file, options)),
    )
    .addCommand(
      withJson(new Command('apply'))
        .description('make the rules of a file those of the program')
        .argument('[file]', 'the file (default: that of the plan, which is saved in this folder)', filled)
        .option('--plan <id>', 'only if this plan, which was reviewed, still is what the file would change', filled)
        .addOption(programOfFileOption())
        .option('--from <time>', 'sales that occur from then on have these rules (default: now)', filled)
        .action((file: string | undefined, options: Options) => reportResult(options, () => apply(file, options))),
    )
    .addCommand(
      withJson(new Command('revert'))
        .description('make the rules from before the last change valid again, from now on')
        .addOption(programOption())
        .action((options: Options & { program: string }) => reportResult(options, () => revert(options.program))),
    )
    .addCommand(
      new Command('schema')
        .description('print the JSON Schema of such a file, for editors')
        .action(() => report(async () => JSON.stringify(rulesSchema(), null, 2))),
    )

const rulesQuery = `query ($after: String) { campaigns(first: 50, after: $after, includeArchived: true) {
  nodes { id name rules { name appliesTo startsAt endsAt maxCommissions maxCommissionPeriodInMonths
    daysBeforeCommissionsAreDue cap { perSaleCents perMonthCents perYearCents }
    reward { percent amountCents leadAmountCents isAboveAll tiers { measure period appliesTo steps { from percent amountCents } } }
    conditions { ${Object.keys(commissionRuleConditionsInput.shape).join(' ')} } } }
  pageInfo { hasNextPage endCursor } } }`

type TiersOfServer = { measure: string; period: string; appliesTo: string; steps: object[] }
type RuleOfServer = {
  name: string
  startsAt: string
  endsAt: string | null
  reward: {
    percent: number | null
    amountCents: number | null
    leadAmountCents: number | null
    isAboveAll: boolean
    tiers: TiersOfServer | null
  }
  cap: object | null
  conditions: object
}
type Page = {
  campaigns: {
    nodes: { id: string; name: string; rules: RuleOfServer[] }[]
    pageInfo: { hasNextPage: boolean; endCursor: string }
  }
}

async function readCampaigns(program: string): Promise<CampaignRules[]> {
  const campaigns: CampaignRules[] = []
  for (let after: string | null = null; ; ) {
    const page: Page['campaigns'] = (await operate<Page>(rulesQuery, { after }, program)).campaigns
    for (const { rules, ...one } of page.nodes) {
      // A rule that is replaced at a moment to come is there until then. The file has the one that follows it.
      const last = rules.filter((rule) => !isFollowed(rule, rules))
      campaigns.push({ ...one, rules: last.map(ruleOfFile) })
    }
    if (!page.pageInfo.hasNextPage) return campaigns
    after = page.pageInfo.endCursor
  }
}

function ruleOfFile({ name, conditions, reward, cap, startsAt, ...rest }: RuleOfServer): object {
  const { percent, amountCents, leadAmountCents, isAboveAll, tiers } = reward
  const own = present({
    percent,
    amountCents,
    leadAmountCents,
    tiers: tiers && { ...tiers, steps: tiers.steps.map(present) },
  })
  const given = present(conditions)
  return {
    name,
    ...(Object.keys(given).length > 0 && { conditions: given }),
    reward: Object.keys(own).length === 0 ? { none: true } : own,
    ...(isAboveAll && { confirmAboveAll: true }),
    ...(cap && { cap: present(cap) }),
    ...(startsAt > new Date().toISOString() && { startsAt }),
    ...present(rest),
  }
}

const present = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

async function fileOf(program: string): Promise<string> {
  return writeRules(
    program,
    await readCampaigns(program),
    `${await findServer(readConfig(process.env))}/docs/rules.schema.json`,
  )
}

const planQuery = `query ($input: PlanRulesInput!) { plan: planRules(input: $input) { plan_id: planId since to sales
  changed_sales: changedSales changes { kind name campaign { name } }
  currencies { currency before { amount { formatted } commissions } after { amount { formatted } commissions }
    difference { formatted }
    affiliates { affiliate { email } before { formatted } after { formatted } difference { formatted } } }
  largest_changes: largestChanges { sale_id: saleId before { formatted } after { formatted } why_before: whyBefore
    why_after: whyAfter } } }`

/** In bytes. A request that plans rules can be as large. */
const largestFile = 1024 * 1024

/** @throws OperatorError if the file is too large: reading the structure of YAML takes many times its memory */
async function readText(file: string): Promise<string> {
  const { size } = await stat(file)
  if (size <= largestFile) return readFile(file, 'utf8')
  const [own, most] = [size, largestFile].map((bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`)
  throw new OperatorError(`${file} has ${own}. A file of rules can have ${most}.`)
}

/**
 * The rules of a file as the server takes them.
 * @param given the program; by default that of the file, else the only one
 */
export async function rulesOfFile(file: string, given: string | undefined) {
  const read = readRulesFile(file, await readText(file))
  const program = given ?? read.program ?? (await onlyProgram())
  return { ...read.of(await readCampaigns(program)), program }
}

/** @param query which fields of the plan are asked for @param show shows the progress, until its result is called */
async function planOf<P>(
  file: string,
  options: Options,
  query: string,
  show?: (input: object, program: string) => () => void,
): Promise<{ plan: P; rules: object[]; program: string }> {
  const { rules, errorOf, program } = await rulesOfFile(file, options.program)
  const input = { rules, since: options.since }
  const end = show?.(input, program)
  try {
    const { plan } = await operate<{ plan: P }>(query, { input }, program)
    return { plan, rules, program }
  } catch (error) {
    throw error instanceof OperationFailed && error.problems.length > 0 ? errorOf(error.problems) : error
  } finally {
    end?.()
  }
}

const progressQuery = `query ($input: PlanRulesInput!) { plan: planRules(input: $input) { progress { replayed total } } }`

const plan = (file: string, options: Options) =>
  report(async () => {
    const { plan, rules, program } = await planOf<ShownPlan>(file, options, planQuery, (input, program) =>
      showReplay(async () => {
        const { plan } = await operate<{ plan: { progress: Replay | null } }>(progressQuery, { input }, program)
        return plan.progress
      }),
    )
    if (plan.changes.length > 0) process.exitCode = 2
    const { plan_id, changes } = plan
    const path = options.save ? await savePlan(file, { plan_id, program, changes, rules }) : undefined
    if (options.json || !process.stdout.isTTY) return JSON.stringify({ plan })
    const saved = path === undefined ? '' : ` It is saved in ${path}.`
    return `${planText(plan)}\n\nThe id of this plan is ${plan_id}.${saved}`
  })

const changedCampaigns = 'campaigns { id name }'

/** Plans first, so that a file with a mistake is reported by line, and then applies that plan. */
async function apply(given: string | undefined, options: Options) {
  const saved = options.plan === undefined ? null : await findSavedPlan(options.plan, given)
  const file = given ?? saved?.path
  if (file === undefined)
    throw new OperatorError(
      options.plan === undefined
        ? 'Name the file of rules, or a saved plan with --plan.'
        : `No plan ${options.plan} is saved in this folder. Name its file of rules too.`,
    )
  const query = `query ($input: PlanRulesInput!) { plan: planRules(input: $input) { id: planId
    changes { kind name campaign { name } } } }`
  const inProgram = options.program ?? saved?.program
  const asked = inProgram === undefined ? options : { ...options, program: inProgram }
  const { plan, rules, program } = await planOf<{ id: string } & Pick<SavedPlan, 'changes'>>(file, asked, query)
  if (options.plan !== undefined && plan.id !== options.plan)
    throw outOfDate(options.plan, saved, { rules, changes: plan.changes })
  const mutation = `mutation ($input: ApplyRulesInput!) { payload: applyRules(input: $input) { ${changedCampaigns} } }`
  const input = { rules, planId: plan.id, from: options.from }
  const { payload } = await operate<{ payload: { campaigns: object[] } }>(mutation, { input }, program)
  return { changed_campaigns: payload.campaigns }
}

async function revert(program: string) {
  const mutation = `mutation { payload: revertRules(input: {}) { ${changedCampaigns} } }`
  const { payload } = await operate<{ payload: { campaigns: object[] } }>(mutation, {}, program)
  return { changed_campaigns: payload.campaigns }
}
