import { z } from 'zod'
import { allMechanisms, type Mechanism } from './engine.ts'
import { isHttpUrl } from './origins.ts'
import { normalHost } from './public-url.ts'
import { hostOfTopic } from './sns-topic.ts'

export const wholeNumber = (min: number, max = 1_000_000) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)

export const port = () =>
  z.coerce
    .number({ error: 'must be a port number' })
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(65_535, 'must be at most 65535')

export const secret = (min: number) =>
  z
    .string()
    .regex(/^\S+$/, 'must not contain spaces')
    .min(min, `must have at least ${min} characters; 32 random characters are recommended`)

export const httpUrl = () => z.string().refine(isHttpUrl, 'must be a URL that starts with http:// or https://')

export const originList = (defaultValue: string) =>
  z
    .string()
    .default(defaultValue)
    .transform((list) =>
      list
        .split(',')
        .map((origin) => origin.trim())
        .filter(Boolean),
    )

export const cell = () => z.string().regex(/^[a-z0-9]{1,8}$/, 'must have 1 to 8 lower-case letters and digits')

/** The mechanisms of `ENGINE`. `full`: all. `plain`: none. Otherwise a comma-separated list of those to use. */
export const engine = () =>
  z
    .string()
    .default('full')
    .transform((list, context) => {
      if (list.trim() === 'full') return allMechanisms
      if (list.trim() === 'plain') return []
      const names = list.split(',').map((name) => name.trim())
      if (names.every((name): name is Mechanism => (allMechanisms as string[]).includes(name))) return names
      context.addIssue(`must be full, plain, or a comma-separated list of ${allMechanisms.join(', ')}`)
      return z.NEVER
    })

export const topicArn = () =>
  z
    .string()
    .refine(
      (value) => hostOfTopic(value) !== null,
      'must be a topic of Amazon SNS: arn:aws:sns:eu-west-1:123456789012:name',
    )

const hostsError =
  'must be a comma-separated list of hosts with the slugs of their programs, such as partners.acme.test=acme'

/** The slugs of programs by their hosts: a host has one program, and a program at most one host. */
export const portalHosts = () =>
  originList('').transform((list, context) => {
    const pairs = list.map((entry) => entry.toLowerCase().split('='))
    const isValid = pairs.every(
      ([host = '', slug = '', ...more]) =>
        more.length === 0 && /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) && /^[a-z0-9-]+$/.test(slug),
    )
    const hosts = new Map(pairs.map(([host = '', slug = '']) => [normalHost(host), slug]))
    const isUnique = hosts.size === pairs.length && new Set(hosts.values()).size === pairs.length
    if (!isValid || !isUnique) context.addIssue(isValid ? 'must name each host and each program once' : hostsError)
    return hosts
  })

const mayBeSecret = /TOKEN|SECRET|URL|KEY|ENDPOINT|ISSUER/

/** A problem with a setting. It repeats the value, unless that may be a secret, or have one: `user:password@host`. */
export function problemOf({ path, message }: z.core.$ZodIssue, env: Readonly<Record<string, string | undefined>>) {
  const name = path.join('.')
  const value = env[name] ?? ''
  return `${name} ${message}${mayBeSecret.test(name) || value.includes('@') ? '' : `. It is ${JSON.stringify(value)}.`}`
}
