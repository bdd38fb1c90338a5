import { sha256Hex } from '../crypto/crypto.ts'
import { readFormFields } from '../parsers/forms.ts'
import { writeForm } from './body-fields.ts'
import type { BuildContent, SignedContent } from './proof.ts'

/**
 * Lists the form of a body that a service signs when it signs sorted fields: the fields sorted by name, then by value, without
 * duplicates. Bodies with other orders and escapes have the same signature: the verified body is the sorted form. A body that
 * is not a form stays unchanged.
 *
 * Use the function as `forms` of {@link hmac}, with {@link formContent}.
 */
export function* sortedForm(body: Uint8Array): Generator<Uint8Array> {
  const fields = looksLikeJson(body) ? undefined : readFormFields(body)
  if (fields === undefined) {
    yield body
    return
  }
  const unique = new Map(fields.map((field) => [JSON.stringify(field), field]))
  yield writeForm([...unique.values()].toSorted(compareFields))
}

type Field = readonly [name: string, value: string]

/** Compares code units, as the services do. */
const compareFields = (a: Field, b: Field): number => compare(a[0], b[0]) || compare(a[1], b[1])
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const looksLikeJson = (body: Uint8Array): boolean => body[0] === 0x7b || body[0] === 0x5b

/**
 * The content of Twilio and of services with the same scheme: the public URL, then each field of the form as its name and its
 * value. When the URL has the parameter `bodySHA256`, the content is the URL alone, and the parameter must be the SHA-256 of the
 * body in hexadecimal.
 *
 * Twilio writes the URL with or without the default port, and escapes the query in two ways: the list has all forms.
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
 * })
 * ```
 *
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
export const formContent: readonly BuildContent[] = [
  (signed) => urlAndFields(signed, signed.url),
  (signed) => urlAndFields(signed, switchPort(signed.url)),
  (signed) => urlAndFields(signed, escapeQuery(signed.url)),
  (signed) => urlAndFields(signed, escapeQuery(switchPort(signed.url))),
]

async function urlAndFields({ body }: SignedContent, url: string): Promise<readonly (string | undefined)[]> {
  const hash = new URL(url).searchParams.get('bodySHA256')
  if (hash !== null) return [hash === (await sha256Hex(body)) ? url : undefined]
  const fields = readFormFields(body)
  return [url, ...(fields?.flat() ?? [undefined])]
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
