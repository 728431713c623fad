import { allMechanisms, useMechanisms, usesMechanism } from '../../src/kernel/engine.ts'
import { engine } from '../../src/kernel/settings.ts'

useMechanisms(engine().parse(process.env.ENGINE))

/** Whether the suite runs with all mechanisms. Tests of what they do to the database are left out without them. */
export const isFull = allMechanisms.every(usesMechanism)
