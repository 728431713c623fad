#!/usr/bin/env node
// The program `tributary`: `npx tributary COMMAND`. In a clone, builds what is older than its source first. Then runs the
// command in the folder that it was called in.
import { existsSync } from 'node:fs'
import module from 'node:module'

if (existsSync(new URL('../src', import.meta.url))) {
  const folder = process.cwd()
  const { buildPagesBeside, buildService } = await import('./build.mjs')
  await buildService()
  if (process.argv[2] === 'start') buildPagesBeside()
  process.chdir(folder)
}
// Compiled code is kept from one start to the next, from Node.js 22 on.
module.enableCompileCache?.()

const built = '../dist/cli/tributary.js'
await import(built)
