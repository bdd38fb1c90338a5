import type { BuildContent, DeliveryHeaders } from '@sallyport/webhooks'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const origin = 'https://url.invalid'
const path = '/a-path'
/** A time that a scheme can also read as a number. */
const time = '7000000000777'

/** Headers whose values are their own names in braces. */
const markedHeaders: DeliveryHeaders = {
  get: (name) => `{header.${name.toLowerCase()}}`,
  *[Symbol.iterator]() {
    // A scheme looks headers up by name.
  },
}

/** A body of the form of a sample, in which each value is its own path in braces, such as `{body.data.id}`. */
export function markBody(sample: unknown): Uint8Array {
  const mark = (value: unknown, at: string): unknown => {
    if (typeof value !== 'object' || value === null) return `{${at}}`
    if (Array.isArray(value)) return value.map((one, index) => mark(one, `${at}.${index}`))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mark(one, `${at}.${name}`)]))
  }
  if (typeof sample !== 'string') return new TextEncoder().encode(JSON.stringify(mark(sample, 'body')))
  if (!/^[\w.-]+=/.test(sample)) return new TextEncoder().encode('{body}')
  const fields = [...new URLSearchParams(sample)].map(([name]): [string, string] => [name, `{body.${name}}`])
  return new TextEncoder().encode(new URLSearchParams(fields).toString())
}

/**
 * Writes the content of a scheme as a template such as `v0:{timestamp}:{body}`: the content is built from values that are
 * their own names. Undefined for content that depends on the values.
 */
export async function writeTemplate(build: BuildContent, sample: unknown): Promise<string | undefined> {
  const body = markBody(sample)
  try {
    const parts = await build({
      body,
      timestamp: time,
      id: '{id}',
      method: '{method}',
      headers: markedHeaders,
      url: origin + path,
      secret: '{secret}',
    })
    if (parts.some((part) => part === undefined)) return undefined
    const text = parts
      .map((part) => (typeof part === 'string' ? part : new TextDecoder().decode(part)))
      .join('')
    return nameDerived(text, body)
  } catch {
    return undefined
  }
}

/** Replaces the body, its digests and the address by their names. */
function nameDerived(text: string, body: Uint8Array): string | undefined {
  const digests = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((hash) =>
    (['hex', 'base64'] as const).map(
      (encoding) => [createHash(hash).update(body).digest(encoding), `{body:${hash}:${encoding}}`] as const,
    ),
  )
  const known = [
    [new TextDecoder().decode(body), '{body}'],
    [JSON.stringify(new TextDecoder().decode(body)).slice(1, -1), '{body:json}'],
    [time, '{timestamp}'],
    ...digests,
    [String(crc32(body)), '{body:crc32}'],
    [origin + path, '{url}'],
    [origin, '{url.origin}'],
    [path, '{url.path}'],
  ] as const
  const named = known.reduce((rest, [value, name]) => rest.replaceAll(value, name), text)
  return named.includes('url.invalid') ? undefined : named
}
