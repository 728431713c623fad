import { serve } from './by-hand.mjs'
import { createPool } from './http.mjs'

await serve(createPool())
