import type { Role } from './session.ts'

/** What a person can do in a program. The service decides again; this only leaves out what would be refused. */
export type Permissions = {
  /** Everything but people and keys. */
  canChange: boolean
  /** Payout runs, months, and the tax profiles of affiliates. */
  canPay: boolean
  canManageKeys: boolean
  canManagePeople: boolean
  canUndoPayouts: boolean
}

export const permissionsOf = (role: Role): Permissions => ({
  canChange: role === 'MANAGER' || role === 'OWNER',
  canPay: role !== 'ANALYST',
  canManageKeys: role === 'OWNER',
  canManagePeople: role === 'OWNER',
  canUndoPayouts: role === 'OWNER',
})
