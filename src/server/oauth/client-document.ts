import http from 'node:http'
import https from 'node:https'
import { LRUCache } from 'lru-cache'
import { readJson } from '../../http/body.ts'
import { version } from '../../kernel/package-root.ts'
import { type OAuthClient, readMetadata } from '../../modules/people/connected-apps/clients.ts'
import { OAuthError } from '../../modules/people/connected-apps/oauth-error.ts'
import type { Targets } from '../../modules/webhooks/targets.ts'

const deadlineMs = 5_000
const maxBytes = 16 * 1024
const keptMs = 5 * 60_000

/** Whether an id of a client is the address of its document. */
export const isDocumentAddress = (id: string): boolean => /^https?:\/\//.test(id)

/**
 * Reads what a client says about itself at the address that is its id. The address must be public, as those of
 * webhooks, also after the name was resolved; a redirect is not followed. A document is kept for five minutes.
 */
export function createClientDocuments(targets: Targets) {
  const kept = new LRUCache<string, OAuthClient>({ max: 200, ttl: keptMs })
  return async (id: string): Promise<OAuthClient> => {
    const known = kept.get(id)
    if (known) return known
    const url = URL.canParse(id) ? new URL(id) : null
    if (!url || url.href !== id || url.pathname === '/' || url.hash !== '' || id.length > 1_000)
      throw rejected('The client_id must be a complete address with a path.')
    const problem = await targets.problemOf(id)
    if (problem) throw rejected(`The address of the client_id ${problem}`)
    const document = await readDocument(targets, url)
    if (document.client_id !== id) throw rejected('The document is of another client_id.')
    const client = { id, ...readMetadata(document), host: url.host }
    kept.set(id, client)
    return client
  }
}

const rejected = (message: string) => new OAuthError('invalid_client', message)

function readDocument(targets: Targets, url: URL): Promise<Record<string, unknown>> {
  const { request: open } = url.protocol === 'https:' ? https : http
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    const headers = { accept: 'application/json', 'user-agent': `Tributary/${version}` }
    const request = open(url, { ...targets.connectionTo(url), headers })
    const timer = setTimeout(() => {
      reject(new Error(`no answer in ${deadlineMs / 1000} seconds`))
      request.destroy()
    }, deadlineMs)
    request.once('close', () => clearTimeout(timer))
    request.on('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size <= maxBytes) return
        reject(new Error(`it has more than ${maxBytes / 1024} KiB`))
        // Without an error: the connection can be in the agent's hands again, where nobody listens.
        request.destroy()
      })
      response.on('error', reject)
      response.once('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`its status is ${response.statusCode}`))
        try {
          resolve(readJson(Buffer.concat(chunks).toString('utf8')))
        } catch (error) {
          reject(error)
        }
      })
    })
    request.end()
  }).catch((error: Error) => {
    throw rejected(`The document of the application could not be read: ${error.message || 'the connection failed'}`)
  })
}
