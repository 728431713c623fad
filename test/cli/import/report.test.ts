import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { agrees, dryRunReport, dryRunText, reportText } from '../../../src/cli/import/report.ts'
import { createReportFile } from '../../../src/cli/import/report-file.ts'
import { importProgram, noteMissingRecords } from '../../../src/cli/import/run.ts'
import type { FinalReport, Target } from '../../../src/cli/import/target.ts'

const program = { id: '019b8d62-7a80-7a31-8c52-3f0b9d6e1a47', name: 'Acme' }
const kind = { kind: 'COMMISSION', source: 3, here: 3, created: 1, updated: 1, leftOut: 0 }
const sum = { kind: 'COMMISSION', state: 'due', currency: 'usd', sourceCount: 3, sourceCents: 980 }
const same: FinalReport = { kinds: [kind], sums: [{ ...sum, hereCount: 3, hereCents: 980 }], notes: [] }

it('says that both sides agree when all records and amounts are here', () => {
  expect(agrees(same)).toBe(true)
  expect(reportText(program, same)).toContain('commissions       3     3    1        1          1         0')
  expect(reportText(program, same)).toContain('9.80')
  expect(reportText(program, same)).toContain('Both sides agree.')
})

it('marks an amount that differs', () => {
  const report = { ...same, sums: [{ ...sum, hereCount: 3, hereCents: 979 }] }
  expect(agrees(report)).toBe(false)
  expect(reportText(program, report)).toContain('<- differs')
})

it('does not compare open payouts', () => {
  const open = { ...sum, kind: 'PAYOUT', state: 'PENDING', hereCount: 2, hereCents: 100 }
  expect(agrees({ ...same, sums: [open] })).toBe(true)
})

it('notes records that the source counts but does not show', () => {
  expect(noteMissingRecords(same, new Map([['COMMISSION', 3]])).notes).toEqual([])
  const report = noteMissingRecords(same, new Map([['COMMISSION', 5]]))
  expect(agrees(report)).toBe(false)
  expect(reportText(program, report)).toContain(
    'Left out:\n  2 commissions: The source counts these records but did not show them. Run the same command again.\n',
  )
})

it('notes them even when the first page is empty', async () => {
  const source = {
    address: 'https://old.test/v1',
    keyHash: 'hash',
    readPage: async (list: string) => ({ rows: [], totalCount: list === 'commissions' ? 2 : 0 }),
  }
  const none = { ...kind, source: 0, here: 0, created: 0, updated: 0 }
  const target: Target = {
    find: async () => null,
    start: async () => ({ program, progress: [] }),
    importRecords: async () => [],
    finish: async () => ({ kinds: [none], sums: [], notes: [] }),
  }
  const quiet = { begin() {}, advance() {}, end() {}, notify() {} }
  const { report } = await importProgram(source, target, quiet, {})
  expect(agrees(report)).toBe(false)
  expect(reportText(program, report)).toContain('2 commissions: The source counts these records but did not show them.')
})

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'import-report-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('rejects a report file that cannot be written before the run', async () => {
  const folder = await newFolder()
  for (const path of [folder, join(folder, 'missing', 'report.json'), ''])
    await expect(createReportFile(path)).rejects.toThrow(/^Cannot write the report to .+\. Choose another file/)
})

it('replaces an earlier report only when the new one is written', async () => {
  const path = join(await newFolder(), 'report.json')
  await writeFile(path, 'of an earlier run')
  const file = await createReportFile(path)
  expect(await readFile(path, 'utf8')).toBe('of an earlier run')
  expect(await file.write({ agrees: true })).toBeNull()
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ agrees: true })
})

it('returns a message when writing the report fails after the run', async () => {
  const folder = await newFolder()
  const file = await createReportFile(join(folder, 'report.json'))
  await rm(folder, { recursive: true })
  expect(await file.write({})).toContain('ENOENT')
})

it('a dry run has a JSON report of the same shape', () => {
  const counts = { source: 2, created: 1, updated: 0, unchanged: 0, leftOut: 1 }
  const note = { kind: 'AFFILIATE', isLeftOut: true, note: 'Email has already been taken', externalIds: ['7'] }
  const result = { program, kinds: new Map([['AFFILIATE', counts]]), notes: new Map([['one', note]]) }
  expect(JSON.parse(JSON.stringify(dryRunReport(result)))).toEqual({
    dryRun: true,
    program,
    agrees: false,
    kinds: [{ kind: 'AFFILIATE', ...counts }],
    notes: [{ ...note, count: 1 }],
  })
})

it('removes control characters of the source from the report', () => {
  const evil = '\u001b]0;x\u0007\u009b2J\r\nBoth sides agree.\u2028\u202eabc'
  const note = { kind: 'AFFILIATE', isLeftOut: true, note: `${evil} was not imported.`, externalIds: [evil] }
  const sums = [{ ...sum, state: evil, hereCount: 3, hereCents: 980 }]
  const counts = { source: 1, created: 0, updated: 0, unchanged: 0, leftOut: 1 }
  const texts = [
    reportText({ ...program, name: evil }, { ...same, sums, notes: [{ ...note, count: 1 }] }),
    dryRunText({ program, kinds: new Map([['AFFILIATE', counts]]), notes: new Map([['one', note]]) }),
  ]
  for (const text of texts) {
    expect(text).toContain('�]0;x��2J��Both sides agree.��abc was not imported.')
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
    expect(text).not.toMatch(/^Both sides agree\./m)
  }
})

it('keeps accents, ideographs and emoji in names', () => {
  const name = 'Zoë 李 👩‍💻'
  expect(reportText({ ...program, name }, same)).toContain(`"${name}"`)
})
