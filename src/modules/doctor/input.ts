import { z } from 'zod'
import { programId } from '../programs/input.ts'

export const checkDataInput = z.object({ programId })
