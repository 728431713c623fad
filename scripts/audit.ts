import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

// npx tsx scripts/audit.ts [FILE]: fails if a dependency has a known vulnerability that is high or critical, and
// writes the list of dependencies (SBOM, CycloneDX) to FILE.

// All packages count: most of the service's are bundled, and so are no `dependencies` of package.json.

type Report = { vulnerabilities?: Record<string, { name: string; severity: string; range: string }> }

/** What `npm audit --json` printed. Null if it is not a report: a registry without an audit endpoint answers with an error. */
export function findSevere(printed: string): string[] | null {
  let report: Report
  try {
    report = JSON.parse(printed)
  } catch {
    return null
  }
  if (!report.vulnerabilities) return null
  const found = Object.values(report.vulnerabilities)
  return found
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity, range }) => `${name} ${range}: ${severity}`)
}

function npm(...args: string[]): string {
  const { stdout, error } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })
  if (error) throw error
  return stdout
}

function main(file: string | undefined): void {
  const severe = findSevere(npm('audit', '--json'))
  if (severe === null)
    console.log('The registry did not audit the dependencies: it has no audit endpoint, or is not reached.')
  else if (severe.length === 0) console.log('No dependency has a known vulnerability that is high or critical.')
  else {
    console.error(`Vulnerable dependencies; update or replace them:\n  ${severe.join('\n  ')}`)
    process.exitCode = 1
  }
  if (!file) return
  const bill = npm('sbom', '--sbom-format', 'cyclonedx')
  const { components } = JSON.parse(bill) as { components: unknown[] }
  writeFileSync(file, bill)
  console.log(`${file} lists ${components.length} packages.`)
}

if (process.argv[1]?.endsWith('audit.ts')) main(process.argv[2])
