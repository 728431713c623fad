import { expect, it } from 'vitest'
import { callerOf, clientAddress } from '../../../src/http/client-address.ts'

const ofSocket = (forwardedFor: string | null) => ({
  remoteAddress: '::ffff:192.0.2.1',
  header: (name: string) => (name === 'x-forwarded-for' ? forwardedFor : null),
})
const forwarded = ofSocket('6.6.6.6, 203.0.113.7,  198.51.100.2')

it.each([
  ['no trusted proxy: the address of the socket, whatever the header says', 0, '192.0.2.1'],
  ['one proxy: the last forwarded address', 1, '198.51.100.2'],
  ['two proxies: the last but one', 2, '203.0.113.7'],
  ['more proxies than addresses: the first address', 9, '6.6.6.6'],
])('%s', (_label, proxies, address) => expect(clientAddress(forwarded, proxies)).toBe(address))

it('uses the address of the socket without the header', () =>
  expect(clientAddress(ofSocket(null), 1)).toBe('192.0.2.1'))

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:DB8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (address, caller) => expect(callerOf(address)).toBe(caller))
