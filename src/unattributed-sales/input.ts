import { z } from 'zod'
import { pageFields } from '../pagination/page.ts'

export const listUnattributedSalesInput = z.object({ ...pageFields })
