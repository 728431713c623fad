export type Path = (string | number)[]

/** The paths of all values that are no lists or objects. */
export function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, [...path, index]))
  return Object.entries(value).flatMap(([name, one]) => leavesOf(one, [...path, name]))
}

/** Changes one value by one character, or to another one of its type. */
export function changeAt(root: any, path: Path): void {
  const name = path.at(-1) as string
  const parent = path.slice(0, -1).reduce((value, step) => value[step], root)
  const value = parent[name]
  if (typeof value === 'number') parent[name] = value + 1
  else if (typeof value === 'boolean') parent[name] = !value
  else if (value === null || value === '') parent[name] = 'x'
  else parent[name] = `${value[0] === '1' ? '2' : '1'}${value.slice(1)}`
}
