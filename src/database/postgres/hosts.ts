import { OperatorError } from '../operator-error.ts'

/** One of the servers of a DATABASE_URL. `host` can be the folder of a socket, as pg has it. */
export type Host = { host: string; port: number }

/** What `target_session_attrs` can be. A service that writes cannot use the others of libpq. */
const writable = ['read-write', 'primary']

/**
 * The servers of a DATABASE_URL such as `postgres://user@h1:5432,h2:5432/db?target_session_attrs=read-write`. pg does
 * not support them.
 * @returns the URL with the first server only, and the servers; an empty list if the one server is used in any state
 * @throws OperatorError
 */
export function readHosts(databaseUrl: string): { url: string; hosts: Host[] } {
  const [, scheme, user, list, rest] = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(databaseUrl.trim()) ?? []
  if (scheme === undefined || list === undefined || rest === undefined) return { url: databaseUrl, hosts: [] }
  const attributes = /[?&]target_session_attrs=([^&#]*)/.exec(rest)?.[1]
  const places = list.split(',')
  const isChecked = attributes !== undefined && attributes !== 'any'
  if (places.length === 1 && !isChecked) return { url: databaseUrl, hosts: [] }
  if (attributes !== undefined && !writable.includes(attributes))
    throw new OperatorError(
      `DATABASE_URL has target_session_attrs=${attributes}. The service needs the server that accepts writes: use read-write.`,
    )
  if (/[?&](host|port)=/.test(rest))
    throw new OperatorError(
      'DATABASE_URL has host or port as a parameter. Write the servers before the database: postgres://user@h1:5432,h2:5432/database.',
    )
  return { url: `${scheme}${user ?? ''}${places[0]}${rest}`, hosts: places.map(readHost) }
}

function readHost(place: string): Host {
  const [, name = '', port = '5432'] = /^(\[[^[\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(place) ?? []
  if (name === '' || Number(port) < 1 || Number(port) > 65_535)
    throw new OperatorError(
      `DATABASE_URL has ${place === '' ? 'an empty server' : `the server "${place}"`} in its list. Write each as host:port: postgres://user@h1:5432,h2:5432/database.`,
    )
  return { host: decodeURIComponent(name.replace(/^\[(.+)\]$/, '$1')), port: Number(port) }
}

export const describeHost = ({ host, port }: Host): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
