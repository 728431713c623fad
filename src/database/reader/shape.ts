export type Args = Record<string, unknown>

/**
 * The part of a query's arguments that its SQL depends on. Of compared values, only the type is part of it.
 * @returns undefined if the arguments contain something that is never compiled
 */
export function shapeOf(args: Args | undefined): string | undefined {
  return args === undefined ? '' : argsShape(args)
}

function argsShape(args: Args): string | undefined {
  let shape = ''
  for (const name in args) {
    const value = args[name]
    if (value === undefined) continue
    const part =
      name === 'select' || name === 'include'
        ? selectionShape(value)
        : name === 'where'
          ? conditionShape(value)
          : name === 'skip'
            ? skipShape(value)
            : name === 'take' || name === 'orderBy'
              ? JSON.stringify(value)
              : undefined
    if (part === undefined) return undefined
    shape += `${name}(${part})`
  }
  return shape
}

function selectionShape(selection: unknown): string | undefined {
  if (!isPlain(selection)) return undefined
  let shape = ''
  for (const name in selection) {
    const value = selection[name]
    if (value === undefined || value === false) continue
    if (value === true) {
      shape += `${name},`
      continue
    }
    const nested = isPlain(value) ? argsShape(value) : undefined
    if (nested === undefined) return undefined
    shape += `${name}{${nested}}`
  }
  return shape
}

const skipShape = (skip: unknown) => (skip === 0 ? '0' : typeof skip === 'number' ? 'n' : undefined)

function conditionShape(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return 's'
    case 'number':
      return 'n'
    case 'bigint':
      return 'b'
    case 'boolean':
      return value ? 'T' : 'F'
    case 'object':
      break
    default:
      return undefined
  }
  if (value === null) return '0'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : 'd'
  if (Array.isArray(value)) return listShape(value)
  if (!isPlain(value)) return undefined
  let shape = '{'
  for (const name in value) {
    const operand = value[name]
    if (operand === undefined) continue
    const part = name === 'mode' ? String(operand) : conditionShape(operand)
    if (part === undefined) return undefined
    shape += `${name}:${part},`
  }
  return `${shape}}`
}

function listShape(list: unknown[]): string | undefined {
  const first = list[0]
  const isList = typeof first === 'object' && !(first instanceof Date)
  if (list.length > 0 && !isList) {
    // A list of values is one parameter, whatever its length.
    const shape = conditionShape(first)
    return list.every((value) => conditionShape(value) === shape) ? `*${shape}` : undefined
  }
  let shape = '['
  for (const value of list) {
    const part = conditionShape(value)
    if (part === undefined) return undefined
    shape += `${part},`
  }
  return `${shape}]`
}

/** An object of the caller's own, not an instance of a class such as Decimal. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
