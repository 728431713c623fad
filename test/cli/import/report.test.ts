import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { agrees, finalText, rehearsedReport, rehearsedText } from '../../../src/cli/import/report.ts'
import { createReportFile } from '../../../src/cli/import/report-file.ts'
import { importProgram, withMissed } from '../../../src/cli/import/run.ts'
import type { FinalReport, Target } from '../../../src/cli/import/target.ts'

const program = { id: '019b8d62-7a80-7a31-8c52-3f0b9d6e1a47', name: 'Acme' }
const kind = { kind: 'COMMISSION', source: 3, here: 3, created: 1, updated: 1, leftOut: 0 }
const sum = { kind: 'COMMISSION', state: 'due', currency: 'usd', sourceCount: 3, sourceCents: 980 }
const same: FinalReport = { kinds: [kind], sums: [{ ...sum, hereCount: 3, hereCents: 980 }], notes: [] }

it('both sides agree where all is here, and says so', () => {
  expect(agrees(same)).toBe(true)
  expect(finalText(program, same)).toContain('commissions       3     3    1        1          1         0')
  expect(finalText(program, same)).toContain('9.80')
  expect(finalText(program, same)).toContain('Both sides agree.')
})

it('a sum that differs is named', () => {
  const report = { ...same, sums: [{ ...sum, hereCount: 3, hereCents: 979 }] }
  expect(agrees(report)).toBe(false)
  expect(finalText(program, report)).toContain('<- differs')
})

it('an open payout may be gathered otherwise here', () => {
  const open = { ...sum, kind: 'PAYOUT', state: 'pending', hereCount: 2, hereCents: 100 }
  expect(agrees({ ...same, sums: [open] })).toBe(true)
})

it('what the source counts and never showed is missed', () => {
  expect(withMissed(same, new Map([['COMMISSION', 3]])).notes).toEqual([])
  const report = withMissed(same, new Map([['COMMISSION', 5]]))
  expect(agrees(report)).toBe(false)
  expect(finalText(program, report)).toContain(
    'Left out:\n  2 commissions: Not shown, though the source counts them. Run the same command again.\n',
  )
})

it('what the source counts is missed where not even its first page shows any of it', async () => {
  const source = {
    address: 'https://old.test/v1',
    readPage: async (list: string) => ({ rows: [], totalCount: list === 'commissions' ? 2 : 0 }),
  }
  const none = { ...kind, source: 0, here: 0, created: 0, updated: 0 }
  const target: Target = {
    find: async () => null,
    start: async () => ({ program, progress: [] }),
    take: async () => [],
    finish: async () => ({ kinds: [none], sums: [], notes: [] }),
  }
  const quiet = { begin() {}, move() {}, end() {}, say() {} }
  const { report } = await importProgram(source, target, quiet, {})
  expect(agrees(report)).toBe(false)
  expect(finalText(program, report)).toContain('2 commissions: Not shown, though the source counts them.')
})

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'import-report-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('a file that can not be written is told before the run', async () => {
  const folder = await newFolder()
  for (const path of [folder, join(folder, 'missing', 'report.json'), ''])
    await expect(createReportFile(path)).rejects.toThrow(/^The report can not be written to .+: name another file/)
})

it('a report takes the place of an earlier one when it is there, and not before', async () => {
  const path = join(await newFolder(), 'report.json')
  await writeFile(path, 'of an earlier run')
  const file = await createReportFile(path)
  expect(await readFile(path, 'utf8')).toBe('of an earlier run')
  expect(await file.write({ agrees: true })).toBeNull()
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ agrees: true })
})

it('a file that fails in the end is told, and does not take the report with it', async () => {
  const folder = await newFolder()
  const file = await createReportFile(join(folder, 'report.json'))
  await rm(folder, { recursive: true })
  expect(await file.write({})).toContain('ENOENT')
})

it('a dry run has a report of the same shape', () => {
  const counts = { source: 2, created: 1, updated: 0, unchanged: 0, leftOut: 1 }
  const note = { kind: 'AFFILIATE', isLeftOut: true, note: 'Email has already been taken', externalIds: ['7'] }
  const rehearsed = { program, kinds: new Map([['AFFILIATE', counts]]), notes: new Map([['one', note]]) }
  expect(JSON.parse(JSON.stringify(rehearsedReport(rehearsed)))).toEqual({
    dryRun: true,
    program,
    agrees: false,
    kinds: [{ kind: 'AFFILIATE', ...counts }],
    notes: [{ ...note, count: 1 }],
  })
})

it('nothing that the source says acts on the terminal', () => {
  const evil = '\u001b]0;x\u0007\u009b2J\r\nBoth sides agree.\u2028\u202eabc'
  const note = { kind: 'AFFILIATE', isLeftOut: true, note: `${evil} was not imported.`, externalIds: [evil] }
  const sums = [{ ...sum, state: evil, hereCount: 3, hereCents: 980 }]
  const counts = { source: 1, created: 0, updated: 0, unchanged: 0, leftOut: 1 }
  const texts = [
    finalText({ ...program, name: evil }, { ...same, sums, notes: [{ ...note, count: 1 }] }),
    rehearsedText({ program, kinds: new Map([['AFFILIATE', counts]]), notes: new Map([['one', note]]) }),
  ]
  for (const text of texts) {
    expect(text).toContain('�]0;x��2J��Both sides agree.��abc was not imported.')
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
    expect(text).not.toMatch(/^Both sides agree\./m)
  }
})

it('names as people write them stay as they are', () => {
  const name = 'Zoë 李 👩‍💻'
  expect(finalText({ ...program, name }, same)).toContain(`"${name}"`)
})
