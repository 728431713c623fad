import { existsSync } from 'node:fs'
import { databaseFolder } from '../database/embedded/folder.ts'
import { callOwner } from '../database/embedded/lock.ts'

/** Whether the directory has an embedded database that no server has opened. */
export async function isStopped(dataDir: string): Promise<boolean> {
  if (!hasDatabase(dataDir)) return false
  const owner = await callOwner(dataDir)
  owner?.destroy()
  return owner === undefined
}

const hasDatabase = (dataDir: string): boolean => existsSync(databaseFolder(dataDir))
