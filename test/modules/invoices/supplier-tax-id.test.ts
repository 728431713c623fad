import { expect, it } from 'vitest'
import { encryptSecret } from '../../../src/kernel/encryption.ts'
import { boundTo, readSupplierTaxId, supplierTaxIdOf } from '../../../src/modules/invoices/supplier-tax-id.ts'

const [key, another] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const of = { programId: 'p', id: 'i' }

it('a tax id that was encrypted with another key is refused where it is needed', () => {
  const invoice = { ...of, supplierTaxId: encryptSecret(key, boundTo(of), '12/345/67890') }
  expect(readSupplierTaxId(key, invoice)).toBe('12/345/67890')
  expect(supplierTaxIdOf(another, invoice)).toBeNull()
  expect(() => readSupplierTaxId(another, invoice)).toThrow(/another key of the installation/)
  expect(readSupplierTaxId(another, { ...of, supplierTaxId: null })).toBeNull()
})
