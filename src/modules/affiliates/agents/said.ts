const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/**
 * What an agent said as a list. It can be the object of the protocol, a list of objects, or one of them as text:
 * addresses and most billing systems keep text only.
 */
export function saidBy(value: unknown): Record<string, unknown>[] {
  const found = listOf(typeof value === 'string' ? parsed(value) : value)
  return found.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return []
  }
}
