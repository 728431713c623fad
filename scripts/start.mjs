// `npm start`: builds what is missing or older than its source, and starts the service in the same process.
import './build.mjs'

await import('../dist/main.js')
