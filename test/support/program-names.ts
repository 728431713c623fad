import { randomUUID } from 'node:crypto'
import { mintPublishableKey } from '../../src/modules/programs/publishable-key.ts'

/** What the row of a program has to have that no other program has. */
export const programNames = () => ({ slug: `program-${randomUUID()}`, publishableKey: mintPublishableKey() })
