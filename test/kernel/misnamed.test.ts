import { expect, it } from 'vitest'
import { findMisnamed } from '../../src/kernel/misnamed.ts'

const settings = ['HOST', 'PORT', 'DATABASE_URL', 'DATA_DIR', 'PORTAL_ORIGINS', 'TRACKING_ORIGINS', 'PUBLIC_URL']
const meantBy = (name: string, value = 'x', more = {}) => findMisnamed({ [name]: value, ...more }, settings)[0]?.meant

it.each([
  ['PORTAL_ORIGIN', 'PORTAL_ORIGINS'],
  ['TRACKING_ORIGIN', 'TRACKING_ORIGINS'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['DATABASE', 'DATABASE_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['PUBLIC_URLS', 'PUBLIC_URL'],
  ['PUBLIC_URL_HTTPS', 'PUBLIC_URL'],
  ['TRIBUTARY_PORT', 'PORT'],
  ['TRIBUTARY_DATABASE_URL', 'DATABASE_URL'],
])('%s is probably %s', (name, setting) => expect(meantBy(name)).toBe(setting))

it.each([
  'PATH',
  'HOME',
  'HOSTNAME',
  'PORTS',
  'POST',
  'LANG',
  'npm_config_registry',
  'TRIBUTARY_KEY',
  'DATA',
  'PGHOST',
])('%s is no setting', (name) => expect(meantBy(name)).toBeUndefined())

it('is silent where the right name is set too, where the value is blank, and about links between containers', () => {
  expect(meantBy('DATABASE_URI', 'x', { DATABASE_URL: 'postgres://db.test/x' })).toBeUndefined()
  expect(meantBy('DATABASE_URI', ' ')).toBeUndefined()
  expect(meantBy('TRIBUTARY_PORT', 'tcp://10.0.0.1:4000')).toBeUndefined()
})
