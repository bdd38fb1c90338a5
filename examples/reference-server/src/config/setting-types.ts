import { isIP } from 'node:net'
import { isDecodable } from '@sallyport/internal/decodable'
import { checkBusUrl, listBusUrls, type BusUrlPurpose } from '@sallyport/buses'
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

export const trustProxy = z
  .string()
  .transform((value, context): TrustProxy => {
    const trust = compileTrust(value)
    if (trust !== undefined) return trust
    context.addIssue('has to be a number of proxies up to 99, or a list of addresses and ranges')
    return z.NEVER
  })
  .meta({ form: 'a number, or addresses and ranges, comma separated' })

/** An IP address or a host name to listen on. */
export const listenAddress = z
  .string()
  .trim()
  .refine(
    (value) => isIP(value) !== 0 || (/^[A-Za-z0-9_.-]+$/.test(value) && !/^[0-9.]+$/.test(value)),
    'has to be an address such as 0.0.0.0 or ::1, or a name, without brackets or a port',
  )
  .meta({ form: 'an address' })

export const origin = z
  .string()
  .trim()
  .transform((value, context) => {
    const url = URL.parse(value)
    if (url && (url.protocol === 'http:' || url.protocol === 'https:'))
      return value.replace(/(?<!\/)\/+$/, '')
    context.addIssue('has to be an http or https address')
    return z.NEVER
  })
  .meta({ form: '`http(s)://host[:port]`' })

/** The origins of browsers that CORS allows. */
export const origins = list
  .transform((items, context): readonly string[] | '*' => {
    if (items.length === 1 && items[0] === '*') return '*'
    const invalid = items.find((item) => !/^https?:/.test(item) || URL.parse(item)?.origin !== item)
    if (invalid !== undefined)
      context.addIssue(
        `has to be *, or origins such as https://app.example.com, but ${JSON.stringify(invalid)} is not`,
      )
    return items
  })
  .meta({ form: '`*`, or `http(s)://host[:port]`, comma separated' })

const chatServices = ['slack', 'discord', 'teams'] as const

/** Addresses of chats, such as `slack+https://hooks.slack.com/…`. No problem contains an address, because it is a secret. */
export const chatAddresses = list
  .transform((items, context) =>
    items.map((item) => {
      const [prefix = '', ...rest] = item.split('+')
      const service = chatServices.find((name) => name === prefix)
      const url = URL.parse(rest.join('+'))
      if (service && url?.protocol === 'https:' && url.username === '' && url.password === '')
        return { service, url: url.href }
      context.addIssue(
        `has to be addresses such as slack+https://hooks.slack.com/…, with ${chatServices.join(', ')} before the plus`,
      )
      return z.NEVER
    }),
  )
  .meta({ form: '`slack+https://…`, `discord+https://…` or `teams+https://…`, comma separated' })

/** The prefix of every URL. A query or a fragment would invalidate signatures over the URL. */
export const publicOrigin = origin.refine(
  (value) => /^https?:\/\/[^/@?#\s][^@?#\s]*$/i.test(value),
  'has to be an http or https address, without a user, a query, a fragment or a space in it',
)

export const httpAddress = z
  .string()
  .trim()
  .transform((value, context) => {
    const url = URL.parse(value)
    const isPlain = url?.username === '' && url.password === ''
    if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return value
    context.addIssue('has to be an http or https address, without a user or password in it')
    return z.NEVER
  })
  .meta({ form: '`http(s)://host[:port]/path`' })

/** Returned as it was read, because drivers parse the URL themselves. */
export const postgresUrl = z
  .string()
  .transform((value, context) => {
    const url = URL.parse(value)
    if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
      context.addIssue('has to be an address such as postgres://user:password@host:5432/database')
    } else if (!isDecodable(url.username, url.password, url.pathname)) {
      context.addIssue('has a % without two hexadecimal digits: write % as %25')
    } else {
      return url.href
    }
    return z.NEVER
  })
  .meta({ form: '`postgres://user:password@host:5432/database`' })

/** The URL of the only destination, `deliver+https://host/path`. */
export const destinationForm = 'deliver+https://host/path'
export const readDestinationUrl = (text = ''): string | undefined =>
  /^deliver\+(https?:\/\/.+)$/i.exec(text.trim())?.[1]

/** `0`, `1` or networks such as `10.0.0.0/8`. */
export const networks = z
  .string()
  .transform((value, context): boolean | readonly string[] => {
    const whole = flag.safeParse(value)
    if (whole.success) return whole.data
    const items = value.split(',').map((item) => item.trim())
    if (!items.every((item) => /^[\d.:a-f]+\/\d{1,3}$/i.test(item)))
      context.addIssue('has to be 0, 1, or networks such as 10.0.0.0/8, comma separated')
    return items
  })
  .meta({ form: '`0`, `1`, or networks such as `10.0.0.0/8`, comma separated' })

/** The URL of a bus or a queue, or the URL of the only destination if its form is among the others. */
export function busUrl(purpose: BusUrlPurpose, others: readonly (typeof destinationForm)[] = []) {
  const forms = [...listBusUrls(purpose), ...others].map((form) => `\`${form}\``)
  return z
    .string()
    .transform((text, context) => {
      if (others.length > 0 && readDestinationUrl(text) !== undefined) return text.trim()
      try {
        return checkBusUrl(purpose, text)
      } catch (error) {
        context.addIssue((error as Error).message)
        return z.NEVER
      }
    })
    .meta({ form: `such as ${forms.join(', ')}` })
}
