#!/usr/bin/env node
// The program `tributary` of a clone: `npx tributary COMMAND`. Builds what is older than its source, then runs the command
// in the folder that it was called in.
const folder = process.cwd()
await import('./build.mjs')
process.chdir(folder)
const built = '../dist/cli/tributary.js'
await import(built)
