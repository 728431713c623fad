import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { OperatorError } from '../../database/operator-error.ts'

type PlannedChange = { kind: string; name: string; campaign: { name: string } }

/** A plan that was saved, so that another person can apply what was reviewed. It is kept beside its file of rules. */
export type SavedPlan = {
  plan_id: string
  program: string
  /** The name of the file of rules, in the same folder. */
  file: string
  changes: PlannedChange[]
  /** In the form of the input of `planRules`. */
  rules: object[]
}

const ending = '.plan.json'

export async function savePlan(file: string, plan: Omit<SavedPlan, 'file'>): Promise<string> {
  const path = `${file}${ending}`
  await writeFile(path, `${JSON.stringify({ ...plan, file: basename(file) }, null, 2)}\n`)
  return path
}

/** Finds a saved plan beside the file of rules; without a file, in the working directory. Null if it is not there. */
export async function findSavedPlan(
  id: string,
  file: string | undefined,
): Promise<(SavedPlan & { path: string }) | null> {
  const folder = file === undefined ? '.' : dirname(file)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending))
  for (const name of names) {
    const saved = JSON.parse(await readFile(join(folder, name), 'utf8').catch(() => 'null')) as SavedPlan | null
    if (saved?.plan_id === id) return { ...saved, path: relative('.', join(folder, saved.file)) }
  }
  return null
}

/**
 * Why a plan cannot be applied any more: the file is another one, or the rules of the program are.
 * @param now what the file would change now
 */
export function outOfDate(
  id: string,
  saved: SavedPlan | null,
  now: { rules: readonly object[]; changes: readonly PlannedChange[] },
): OperatorError {
  const lines = saved ? differencesOf(saved.rules, now.rules) : []
  const reason = !saved
    ? 'The file or the rules of the program have changed since, or it is the plan of another file.'
    : lines.length > 0
      ? 'The file has changed since:'
      : 'The rules of the program have changed since.'
  const changes = now.changes.map(lineOf)
  return new OperatorError(
    [
      `The plan ${id} is not applied. ${reason}`,
      ...lines,
      ...(saved && lines.length === 0 ? ['The plan was:', ...saved.changes.map(lineOf)] : []),
      changes.length > 0 ? 'The file would change now:' : 'The file would change nothing now.',
      ...changes,
      'Plan again, and have that plan reviewed.',
    ].join('\n'),
  )
}

const lineOf = ({ kind, name, campaign }: PlannedChange) => `  ${kind.toLowerCase()} ${name} (${campaign.name})`

/** What differs between two lists of rules, by campaign and name. */
function differencesOf(before: readonly object[], after: readonly object[]): string[] {
  const keyed = (rules: readonly object[]) =>
    new Map((rules as { campaignId: string; name: string }[]).map((rule) => [`${rule.campaignId} ${rule.name}`, rule]))
  const [old, own] = [keyed(before), keyed(after)]
  return [
    ...[...own].flatMap(([key, rule]) => {
      const known = old.get(key)
      if (!known) return [`  ${rule.name}: added`]
      const fields = fieldsOf(known, rule)
      return fields.length > 0 ? [`  ${rule.name}: ${fields.join('; ')}`] : []
    }),
    ...[...old].flatMap(([key, { name }]) => (own.has(key) ? [] : [`  ${name}: removed`])),
  ]
}

function fieldsOf(before: object, after: object): string[] {
  const [old, own] = [before, after] as Record<string, unknown>[]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const text = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))
  return names.flatMap((name) => {
    const [from, to] = [text(old?.[name]), text(own?.[name])]
    return from === to ? [] : [`${name} was ${from}, and is ${to}`]
  })
}
