type On = { find(): void; help(): void }

/** Listens to the keys of the whole dashboard. Keys without Ctrl do nothing while a person types. @returns stops it */
export function followKeys(on: On): () => void {
  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing || event.altKey || isCovered()) return
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
    if (!isFind && isInMenu(event.target)) return
    const action = isFind
      ? on.find
      : event.ctrlKey || event.metaKey || isTyping(event.target)
        ? undefined
        : plain(event)
    if (!action) return
    event.preventDefault()
    action()
  }
  const plain = ({ key }: KeyboardEvent): (() => void) | undefined =>
    ({ '/': on.find, '?': on.help, j: () => step(1), k: () => step(-1), x: tickOf(document.activeElement) })[key]
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

/** Whether a dialog is over the page. */
const isCovered = () => (document.getElementById('page') as HTMLElement).inert

/** A menu has keys of its own. */
const isInMenu = (target: EventTarget | null) => target instanceof Element && target.closest('[role=menu]') !== null

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

const rowsOf = () => [...document.querySelectorAll<HTMLElement>('main table.rows > tbody > tr')]

/** What opens the row, else the first thing in it that takes the focus. */
const targetOf = (row: HTMLElement) =>
  row.querySelector<HTMLElement>('a.opens') ??
  row.querySelector<HTMLElement>('th a') ??
  row.querySelector<HTMLElement>('a, button, input')

/** Moves the focus to a row below or above the present one, from outside of the list to its first row. */
function step(by: 1 | -1): void {
  const rows = rowsOf().filter(targetOf)
  const index = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[index < 0 ? 0 : Math.min(Math.max(index + by, 0), rows.length - 1)]
  if (next) targetOf(next)?.focus()
}

export const toFirstRow = (): void => {
  const first = rowsOf().map(targetOf).find(Boolean)
  first?.focus()
}

const tickOf = (focused: Element | null) => {
  const box = focused?.closest('tr')?.querySelector<HTMLElement>('.select input')
  return box ? () => box.click() : undefined
}
