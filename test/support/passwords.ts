import { createHash } from 'node:crypto'
import type { PasswordHashing } from '../../src/modules/people/auth.ts'

const digest = (password: string) => createHash('sha256').update(password).digest('hex')

/** Scrypt would take most of the time in which a test makes its people. test/modules/people/sign-in.test.ts uses it. */
export const quickPasswords: PasswordHashing = {
  hash: async (password) => digest(password),
  verify: async ({ hash, password }) => hash === digest(password),
}
