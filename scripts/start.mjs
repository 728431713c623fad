// `npm start`: builds what is missing or older than its source, and starts the service in the same process.
import module from 'node:module'
import './build.mjs'

// Compiled code is kept from one start to the next, from Node.js 22 on.
module.enableCompileCache?.('dist/compile-cache')

await import('../dist/main.js')
