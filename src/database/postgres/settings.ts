import { OperatorError } from '../operator-error.ts'
import { parseDatabaseUrl } from './open.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What is wrong with the addresses of databases, each with the name of its setting. */
export function findDatabaseProblems(env: Environment): string[] {
  const has = (name: string) => Boolean(env[name]?.trim())
  const problems = ['DATABASE_URL', 'DATABASE_DIRECT_URL'].flatMap((name) => problemsOf(name, env[name]?.trim()))
  for (const url of splitReplicaUrls(env.DATABASE_REPLICA_URLS)) problems.push(...replicaProblems(url))
  if (has('DATABASE_DIRECT_URL') && !has('DATABASE_URL'))
    problems.push('DATABASE_DIRECT_URL requires DATABASE_URL, the address of the pooler')
  if (has('DATABASE_REPLICA_URLS') && !has('DATABASE_URL'))
    problems.push('DATABASE_REPLICA_URLS requires DATABASE_URL, the address of the primary')
  return problems
}

export const splitReplicaUrls = (list = ''): string[] =>
  list
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean)

function replicaProblems(url: string): string[] {
  if (/target_session_attrs=/.test(url)) return ['DATABASE_REPLICA_URLS must not have target_session_attrs']
  return problemsOf('DATABASE_REPLICA_URLS', url)
}

function problemsOf(name: string, url: string | undefined): string[] {
  if (!url) return []
  try {
    parseDatabaseUrl(url)
    return []
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [error.message.replace('DATABASE_URL', name)]
  }
}
