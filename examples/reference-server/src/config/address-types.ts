import { isIP } from 'node:net'
import { isDecodable } from '@sallyport/internal/decodable'
import { checkBusUrl, listBusUrls, type BusUrlPurpose } from '@sallyport/buses'
import { createS3BodyStore } from '@sallyport/sql/s3'
import { z } from 'zod'
import { flag, list } from './setting-types.ts'

// Schemas of the text of a setting with addresses. `form` describes the format in the generated documents.

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
export const chatAddresses = z
  .string()
  .transform((value, context) =>
    // A comma inside an address separates nothing.
    value.split(/,(?=\s*(?:(?:[a-z]+\+)?https?:|$))/i).flatMap((text) => {
      const item = text.trim()
      if (item === '') return []
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

/** The bucket of large bodies. */
export const bodyStoreUrl = z
  .string()
  .transform((url, context) => {
    try {
      createS3BodyStore({ url })
      return url.trim()
    } catch (error) {
      context.addIssue((error as Error).message)
      return z.NEVER
    }
  })
  .meta({ form: '`s3://BUCKET/PREFIX?region=REGION`' })

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
