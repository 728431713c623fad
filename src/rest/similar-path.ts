import { editDistance } from '../kernel/misnamed.ts'
import { basePath, routes } from './routes.ts'

const maxEdits = 2

/** The words of paths, without their parameters. */
const words = new Set(
  routes.flatMap(({ path }) => path.split('/').filter((word) => word !== '' && !word.startsWith('{'))),
)

/** The REST path that an unknown one probably meant: one word has a typo. Undefined if none is similar. */
export function similarPath(path: string): string | undefined {
  const [, version, ...rest] = path.split('/')
  if (`/${version}` !== basePath || rest.length === 0 || path.length > 200) return undefined
  for (const [index, word] of rest.slice(0, 3).entries()) {
    if (words.has(word)) continue
    const [meant] = [...words]
      .map((other) => ({ other, edits: editDistance(word, other) }))
      .filter(({ other, edits }) => edits <= maxEdits && edits < other.length / 2)
      .sort((one, other) => one.edits - other.edits)
    if (meant) return `${basePath}/${rest.with(index, meant.other).join('/')}`
  }
  return undefined
}
