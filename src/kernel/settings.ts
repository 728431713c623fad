import { z } from 'zod'
import { isHttpUrl } from './origins.ts'

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
