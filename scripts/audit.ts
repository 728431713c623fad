import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

// npx tsx scripts/audit.ts [FILE]: fails if a dependency has a known vulnerability that is high or critical, or if the
// registry does not answer. Prints NOT AUDITED if the registry has no audit endpoint. Writes the list of dependencies
// (SBOM, CycloneDX) to FILE.

// All packages count: most of the service's are bundled, and so are no `dependencies` of package.json.

type Vulnerability = { name: string; severity: string; range: string }
type Report = { vulnerabilities?: Record<string, Vulnerability>; statusCode?: number; message?: string }

/** What is known after asking: vulnerabilities; that nobody could be asked; or that the question failed. */
type Audit = { severe: string[] } | { notAudited: string } | { failure: string }

/** How a registry without an audit endpoint answers. Anything else is a failure: the endpoint may be there. */
const noEndpoint = [404, 405, 501]

/** @param printed what `npm audit --json` printed */
export function readAudit(printed: string): Audit {
  const report = readReport(printed)
  if (!report) return { failure: 'npm audit printed no report' }
  if (report.vulnerabilities) return { severe: severeOf(Object.values(report.vulnerabilities)) }
  const { statusCode, message = 'npm audit printed no report' } = report
  return statusCode !== undefined && noEndpoint.includes(statusCode) ? { notAudited: message } : { failure: message }
}

/** The packages with high and critical vulnerabilities. Null without a report. */
export function findSevere(printed: string): string[] | null {
  const audit = readAudit(printed)
  return 'severe' in audit ? audit.severe : null
}

function readReport(printed: string): Report | null {
  try {
    const report: unknown = JSON.parse(printed)
    return typeof report === 'object' ? (report as Report) : null
  } catch {
    return null
  }
}

const severeOf = (found: Vulnerability[]): string[] =>
  found
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity, range }) => `${name} ${range}: ${severity}`)

function npm(...args: string[]): string {
  const { stdout, error } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })
  if (error) throw error
  return stdout
}

export function describeAudit(audit: Audit): string {
  if ('notAudited' in audit)
    return `NOT AUDITED: the registry has no audit endpoint (${audit.notAudited}). Run it with another registry: npm_config_registry=URL npx tsx scripts/audit.ts`
  if ('failure' in audit) return `The audit failed, so nothing is known of the dependencies: ${audit.failure}`
  if (audit.severe.length === 0) return 'Audited: no dependency has a known vulnerability that is high or critical.'
  return `Vulnerable dependencies; update or replace them:\n  ${audit.severe.join('\n  ')}`
}

function main(file: string | undefined): void {
  const audit = readAudit(npm('audit', '--json'))
  console.log(describeAudit(audit))
  process.exitCode = 'failure' in audit || ('severe' in audit && audit.severe.length > 0) ? 1 : 0
  if (!file) return
  const bill = npm('sbom', '--sbom-format', 'cyclonedx')
  const { components } = JSON.parse(bill) as { components: unknown[] }
  writeFileSync(file, bill)
  console.log(`${file} lists ${components.length} packages.`)
}

if (process.argv[1]?.endsWith('audit.ts')) main(process.argv[2])
