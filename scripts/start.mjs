// `npm start`: builds what is missing or older than its source, and starts the service in the same process. The pages are
// still built while the service starts: until then it asks browsers to wait.
import module from 'node:module'
import { buildPagesBeside, buildService } from './build.mjs'

await buildService()

// Compiled code is kept from one start to the next, from Node.js 22 on.
module.enableCompileCache?.('dist/compile-cache')

await Promise.all([buildPagesBeside(), import('../dist/main.js')])
