import { randomUUID } from 'node:crypto'
import { mintPublishableKey } from '../../src/modules/programs/publishable-key.ts'

/** The values of a program's row that must be unique. */
export const programNames = () => ({ slug: `program-${randomUUID()}`, publishableKey: mintPublishableKey() })
