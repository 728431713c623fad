import { lockDirectory } from '../../src/database/embedded/lock.ts'

// Acquires the lock of a directory and keeps it until the process is killed.
try {
  await lockDirectory(process.argv[2] ?? '', () => {})
  console.log('locked')
  setInterval(() => {}, 1_000)
} catch (error) {
  console.log((error as Error).message)
}
