import { expect, it } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** How many cells of a table the test checked. `.ci/report.mjs` adds them up. */
    cells?: number
  }
}

/**
 * One test that checks every cell of a table. Its failure names each cell that fails, with the reason, so that a report has a
 * line for each kind of guarantee and loses no cell.
 *
 * @param nameOf what the failure calls a cell
 */
export function itEvery<Cell>(
  name: string,
  cells: readonly Cell[],
  nameOf: (cell: Cell) => string,
  check: (cell: Cell) => unknown,
): void {
  it(name, { timeout: 300_000 }, async ({ task }) => {
    expect(cells).not.toHaveLength(0)
    task.meta.cells = cells.length
    const failed: string[] = []
    for (const cell of cells) {
      try {
        await check(cell)
      } catch (error) {
        failed.push(`${nameOf(cell)}: ${(error as Error).message}`)
      }
    }
    if (failed.length > 0) throw new Error(`${failed.length} of ${cells.length} fail:\n${failed.join('\n')}`)
  })
}
