import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { createTestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'

const token = 'token-of-prometheus'
const database = await createTestDatabase()
const metrics = createMetrics({
  db: database.db,
  now: () => new Date(),
  pool: () => ({ total: 2, idle: 1, waiting: 0 }),
  freeBytes: async () => 1_000_000,
  backups: { ageSeconds: async () => 60, everySeconds: 86_400 },
  replicas: () => ({
    replicas: [{ name: 'replica-1', state: 'used', behindBytes: 0, reads: 0 }],
    fallbacks: { away: 0, behind: 0, failed: 0 },
  }),
})
const test = await createTestApp({ database, metrics: { metrics, token } })

type Panel = { id: number; title: string; type: string; targets?: { expr: string; legendFormat: string }[] }
const dashboard = JSON.parse(readFileSync('docs/grafana/tributary.json', 'utf8')) as { panels: Panel[] }
const alerts = readFileSync('docs/grafana/alerts.yaml', 'utf8')
const monitoring = readFileSync('docs/monitoring.md', 'utf8')

const panelQueries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr]))
const names = [...alerts.matchAll(/- alert: (\w+)\n\s+expr: (.+)/g)].map(([, name, expr]) => [name, expr])
const queries = [...panelQueries, ...names] as [string, string][]

/** Of each metric, the labels of its series. */
const exported = new Map<string, Set<string>>()
/** Prometheus adds them. */
const ofPrometheus = new Set(['instance', 'job'])

beforeAll(async () => {
  const program = await test.createProgram()
  await program.get('/affiliates')
  const { text } = await metrics.read()
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = exported.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    exported.set(name, known)
  }
  exported.set('up', new Set())
})

const used = (expr: string) => [...expr.matchAll(/\b((?:tributary|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g)]

it.each(queries)('%s asks for metrics and labels that /metrics has', (_title, expr) => {
  const found = used(expr)
  expect(found.length).toBeGreaterThan(0)
  for (const [, name = '', selector = ''] of found) {
    expect([...exported.keys()]).toContain(name)
    const labels = [...selector.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label]) => label as string)
    for (const label of labels.filter((one) => !ofPrometheus.has(one)))
      expect([...(exported.get(name) ?? [])]).toContain(label)
  }
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  const known = new Set(found.flatMap(([, name = '']) => [...(exported.get(name) ?? [])]))
  for (const label of grouped) expect([...known]).toContain(label)
})

it('every metric of ours is on the dashboard', () => {
  const shown = new Set(panelQueries.flatMap(([, expr = '']) => used(expr).map(([, name]) => name)))
  const own = [...exported.keys()].filter((name) => name.startsWith('tributary_') && !/_(count|sum)$/.test(name))
  expect(own.filter((name) => !shown.has(name))).toEqual([])
})

it('panels have a number and a title of their own', () => {
  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
})

it('docs/monitoring.md explains every alert, and every metric of ours', () => {
  const documented = [...monitoring.matchAll(/^\| `(Tributary\w+)` \|/gm)].map(([, name]) => name)
  expect(documented).toEqual(names.map(([name]) => name))
  const own = [...exported.keys()].filter((name) => name.startsWith('tributary_') && !/_(count|sum|bucket)$/.test(name))
  for (const name of own) expect(monitoring).toContain(`\`${name}\``)
})
