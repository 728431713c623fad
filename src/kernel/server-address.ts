import { join } from 'node:path'

/** A server notes its address here, so that commands with the same data directory find it. */
export const serverAddressFile = (dataDir: string) => join(dataDir, 'server-address')
