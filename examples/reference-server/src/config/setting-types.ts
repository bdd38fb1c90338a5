import { readGroupRoles } from '@sallyport/sql/accounts'
import { z } from 'zod'
import { compileTrust, type TrustProxy } from '../http/client-address.ts'

/** The tasks of a process; processes with different roles on one database share the work. */
export const roles = ['api', 'gateway', 'dispatcher', 'drainer'] as const

export type Role = (typeof roles)[number]

/** Parses names of roles; `all` means every role. Returns undefined for an unknown name or an empty list. */
function parseRoles(names: readonly string[]): ReadonlySet<Role> | undefined {
  const isRole = (name: string): name is Role => (roles as readonly string[]).includes(name)
  const chosen = names.flatMap((name) => (name === 'all' ? roles : name))
  return chosen.length > 0 && chosen.every(isRole) ? new Set(chosen) : undefined
}

// Schemas of the text of a setting. `form` describes the format in the generated documents.

export const text = (form = 'text') => z.string().meta({ form })

export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^[0-9]+$/, 'has to be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `has to be between ${minimum} and ${maximum}`)
    .meta({ form: `${minimum} to ${maximum}` })

export const bytesIn = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

export const size = z
  .string()
  .regex(/^[0-9]+ ?(b|kb|mb|gb)?$/i, 'has to be a size such as 10kb or 1048576')
  .transform((value) => {
    const unit = value.replace(/^[0-9]+ ?/, '').toLowerCase() || 'b'
    return Number.parseInt(value, 10) * bytesIn[unit as keyof typeof bytesIn]
  })
  .refine(Number.isSafeInteger, 'has to be less than 8,000,000gb')
  .meta({ form: 'bytes, or a number of `kb`, `mb` or `gb`' })

export const share = z
  .string()
  .regex(/^(0?\.[0-9]+|[01](\.0*)?)$/, 'has to be a number from 0 to 1')
  .transform(Number)
  .meta({ form: 'a number from 0 to 1' })

export const flag = z
  .enum(['0', '1', 'true', 'false'], 'has to be 1 or 0')
  .transform((value) => value === '1' || value === 'true')
  .meta({ form: '`0` or `1`' })

export const choice = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values).meta({ form: values.map((value) => `\`${value}\``).join(', ') })

export const list = z
  .string()
  .transform((value, context) => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    // A list such as "," is a mistake; an empty variable counts as unset.
    if (items.length === 0 && value !== '')
      context.addIssue('has to contain at least one name, or to be unset')
    return items
  })
  .meta({ form: 'comma separated' })

export const role = list
  .transform((names, context) => {
    const parsed = parseRoles(names)
    if (parsed !== undefined) return parsed
    context.addIssue(`has to be all, or some of ${roles.join(', ')}, comma separated`)
    return z.NEVER
  })
  .meta({ form: `\`all\`, or some of ${roles.map((name) => `\`${name}\``).join(', ')}, comma separated` })

const durationUnits = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds by name. */
export const durations = list
  .transform((items, context) => {
    const read = items.map((item): readonly [string, number] => {
      const [, name = '', count, unit = ''] = /^([\w/-]{1,80})=([0-9]{1,5})([mhd])$/.exec(item) ?? []
      return [name, Number(count) * durationUnits[unit as keyof typeof durationUnits]]
    })
    if (read.every(([, duration]) => duration > 0 && duration <= 14 * durationUnits.d))
      return Object.fromEntries(read)
    context.addIssue('has to be a list such as github=2h, with m, h or d, and at most 14 days each')
    return z.NEVER
  })
  .meta({ form: '`<name>=<duration>`, comma separated' })

/** The roles of groups at an issuer. */
export const groupRoles = z
  .string()
  .transform((value, context) => {
    try {
      return readGroupRoles(value)
    } catch (error) {
      context.addIssue((error as Error).message)
      return z.NEVER
    }
  })
  .meta({
    form: 'JSON, such as `{"platform": "admin", "support-eu": {"permissions": "read,replay", "endpoints": {"region": "eu"}}}`',
  })

export const trustProxy = z
  .string()
  .transform((value, context): TrustProxy => {
    const trust = compileTrust(value)
    if (trust !== undefined) return trust
    context.addIssue('has to be a number of proxies up to 99, or a list of addresses and ranges')
    return z.NEVER
  })
  .meta({ form: 'a number, or addresses and ranges, comma separated' })
