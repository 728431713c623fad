/** Shorter names, such as PORT, are close to names of other programs by chance. */
const shortestLength = 8
const ownPrefix = 'TRIBUTARY_'

/**
 * Environment variables whose names are probably misspelled settings: a typo, a shorter or longer name, other case, or
 * the service's name before it. Only settings that are not set are suggested.
 */
export function findMisnamed(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): { name: string; meant: string }[] {
  const missing = settings.filter((setting) => !env[setting]?.trim())
  return Object.keys(env).flatMap((name) => {
    if (settings.includes(name) || !env[name]?.trim() || isServiceLink(env[name])) return []
    const meant = closest(name.toUpperCase(), missing)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** Kubernetes and Docker set variables such as TRIBUTARY_PORT=tcp://10.0.0.1:4000 for a service. */
const isServiceLink = (value: string) => value.startsWith('tcp://')

function closest(name: string, settings: readonly string[]): string | undefined {
  if (name.startsWith(ownPrefix)) {
    const setting = name.slice(ownPrefix.length)
    if (settings.includes(setting)) return setting
  }
  const similar = settings
    .filter(
      (setting) => setting.length >= shortestLength && (isPart(name, setting) || isOfSimilarLength(name, setting)),
    )
    .map((setting) => ({ setting, edits: editDistance(name, setting) }))
    .filter(({ setting, edits }) => edits <= mostEdits(setting) || isPart(name, setting))
  return similar.sort((a, b) => a.edits - b.edits)[0]?.setting
}

const mostEdits = (setting: string) => (setting.length > shortestLength ? 2 : 1)

/** Each character more or less is an edit. */
const isOfSimilarLength = (name: string, setting: string) =>
  Math.abs(name.length - setting.length) <= mostEdits(setting)

const isPart = (name: string, setting: string) =>
  name.length >= shortestLength && (name.startsWith(`${setting}_`) || setting.startsWith(`${name}_`))

/** How many characters have to be inserted, removed or replaced to turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
