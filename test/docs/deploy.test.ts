import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { environment } from '../../src/config/environment.ts'

const run = promisify(execFile)
const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8')
const settings = Object.keys(environment.shape)
const isCaddyThere = existsSync('/usr/bin/caddy')

describe('deploy', () => {
  it('the unit of systemd starts with the options of npm start, and stops later than the service needs', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const options = scripts.start.match(/--\S+/g)
    const unit = read('tributary.service')
    expect(unit.match(/^ExecStart=.*$/m)?.[0].match(/--\S+/g)).toEqual(options)
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10)
  })

  it('the manifests of Kubernetes set settings that exist, and probe paths that exist', () => {
    const documents = parseAllDocuments(read('kubernetes.yaml')).map((one) => one.toJS())
    expect(documents.map(({ kind }) => kind)).toEqual(['Secret', 'ConfigMap', 'Deployment', 'Service', 'Ingress'])
    const [secret, config, deployment, service, ingress] = documents
    expect(Object.keys({ ...secret.stringData, ...config.data }).filter((name) => !settings.includes(name))).toEqual([])
    const { spec } = deployment.spec.template
    const [{ readinessProbe, livenessProbe, volumeMounts }] = spec.containers
    expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/readyz', '/healthz'])
    expect(volumeMounts.map((mount: { name: string }) => mount.name)).toEqual(
      spec.volumes.map((volume: { name: string }) => volume.name),
    )
    expect(deployment.spec.template.metadata.labels).toEqual(service.spec.selector)
    expect(ingress.spec.rules[0].http.paths[0].backend.service.name).toBe(service.metadata.name)
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(10)
  })

  it('both proxies pass streams on at once, and hide the metrics', () => {
    expect(read('nginx.conf')).toMatch(/proxy_buffering off;[\s\S]*location = \/metrics \{\s+return 404;/)
    expect(read('Caddyfile')).toMatch(/respond \/metrics 404[\s\S]*flush_interval -1/)
  })

  it.skipIf(!isCaddyThere)('Caddy accepts its file (needs Caddy)', async () => {
    await run('/usr/bin/caddy', ['adapt', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'])
  })
})
