import { sha256Hex } from '../crypto/crypto.ts'
import { readFormFields, startsLikeJson } from '../parsers/forms.ts'
import { writeForm } from './body-fields.ts'
import type { BuildContent } from './proof.ts'

/**
 * Lists the form of a body that a service signs when it signs sorted fields: the fields sorted by name, then by value, without
 * duplicates. Bodies with other orders and escapes have the same signature: the verified body is the sorted form. A body that
 * is not a form stays unchanged.
 *
 * Use the function as `forms` of {@link hmac}, with {@link formContent}.
 */
export function* sortedForm(body: Uint8Array): Generator<Uint8Array> {
  yield sortOnce(body)
}

/** A delivery with several addresses is verified with each one, and Twilio signs eight forms of each address. */
const sortOnce = perBody((body) => {
  const fields = readFields(body)
  if (fields === undefined) return body
  const unique = new Map(fields.map((field) => [JSON.stringify(field), field]))
  return writeForm([...unique.values()].toSorted(compareFields))
})

const readTexts = perBody((body) => readFields(body)?.flat() ?? [undefined])

/** Calls the function once for each body. */
function perBody<Result extends object>(read: (body: Uint8Array) => Result): (body: Uint8Array) => Result {
  const results = new WeakMap<Uint8Array, Result>()
  return (body) => {
    const result = results.get(body) ?? read(body)
    results.set(body, result)
    return result
  }
}

/** The end of a text of a sender could be JSON. */
function readFields(body: Uint8Array): readonly Field[] | undefined {
  return startsLikeJson(body) ? undefined : readFormFields(body)
}

type Field = readonly [name: string, value: string]

/** Compares code units, as the services do. */
const compareFields = (a: Field, b: Field): number => compare(a[0], b[0]) || compare(a[1], b[1])
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/**
 * The content of Twilio and of services with the same scheme: the public URL, then each field of the form as its name and its
 * value. The content of a JSON body is the URL alone: its last parameter is `bodySHA256`, the SHA-256 of the body in
 * hexadecimal. The content of a delivery by GET is the URL alone, too, and its last parameter is not `bodySHA256`: a copy of a
 * JSON delivery would take its place.
 *
 * Twilio writes the URL with or without the default port, and escapes it in four ways: the list has all forms. The borders
 * between the fields are not signed: use the content as the `identity` of {@link hmac}.
 *
 * @example
 * ```ts
 * import { formContent, hmac, sortedForm } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha1',
 *   encoding: 'base64',
 *   header: 'x-twilio-signature',
 *   forms: sortedForm,
 *   content: formContent,
 *   identity: (content) => content,
 * })
 * ```
 *
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
export const formContent: readonly BuildContent[] = Array.from({ length: 8 }, (_, index): BuildContent => {
  return async ({ method, body, url }) => {
    const form = listUrls(url)[index]
    if (form === undefined) return [form]
    if (method === 'GET') return [bodyHash.test(form) ? undefined : form]
    return urlAndFields(body, form)
  }
})

/** The forms in which Twilio and its library write a URL. */
function listUrls(url: string): readonly string[] {
  // The address of a SIP caller in the query has a colon and an at sign.
  const sip = url.replaceAll(/%3A/gi, ':').replaceAll('%40', '@')
  const forms = [url, escapeQuery(url), new URL(url).href, sip]
  return [...new Set([...forms, ...forms.map(switchPort)])]
}

/** The text of a sender inside the URL is followed by other fields: it cannot be the last parameter. */
const bodyHash = /[?&]bodySHA256=([0-9a-f]{64})$/

async function urlAndFields(body: Uint8Array, url: string): Promise<readonly (string | undefined)[]> {
  const hash = bodyHash.exec(url)?.[1]
  if (hash !== undefined) return [hash === (await sha256Hex(body)) ? url : undefined]
  return [url, ...readTexts(body)]
}

/** Adds the default port to a URL without a port, and removes any other port. */
function switchPort(url: string): string {
  return url.replace(/^(https?:\/\/[^/?#]*?)(:\d+)?(?=[/?#]|$)/, (_, origin: string, port?: string) => {
    if (port !== undefined) return origin
    return origin + (origin.startsWith('https:') ? ':443' : ':80')
  })
}

/** Escapes the query like the `querystring` module of Node, which escapes fewer characters than a URL. */
function escapeQuery(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const pairs = [...new URLSearchParams(url.slice(at + 1))]
  const escaped = pairs.map((pair) => pair.map((text) => encodeURIComponent(text)).join('='))
  return `${url.slice(0, at)}?${escaped.join('&')}`
}
