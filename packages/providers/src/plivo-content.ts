import { parseForm, type SignedContent } from '@sallyport/webhooks'

type Field = readonly [name: string, value: string]

const list = (fields: Readonly<Record<string, unknown>>): readonly Field[] =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): Field => [name, String(one)]))

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

const sort = (fields: readonly Field[]): readonly Field[] =>
  fields.toSorted((one, other) => compare(one[0], other[0]) || compare(one[1], other[1]))

const noncePattern = /^[\w-]{1,64}$/

/**
 * The content of version 3: the URL with its sorted parameters, the sorted fields of the form, and the nonce. Plivo writes
 * a question mark before the fields, even without parameters. A delivery by GET has no fields. Undefined for a nonce with a
 * dot, which could contain the end of the fields.
 */
export function plivoContent({ method, url, headers, body }: SignedContent): readonly (string | undefined)[] {
  const { origin, pathname, searchParams } = new URL(url)
  const parameters = sort([...searchParams]).map((pair) => pair.join('='))
  const form = method === 'GET' ? {} : (parseForm(body) as Readonly<Record<string, unknown>>)
  const fields = sort(list(form)).flat()
  const query = parameters.length > 0 || fields.length > 0 ? `?${parameters.join('&')}` : ''
  const separator = parameters.length > 0 && fields.length > 0 ? '.' : ''
  const nonce = headers.get('x-plivo-signature-v3-nonce') ?? ''
  return [origin, pathname, query, separator, ...fields, '.', noncePattern.test(nonce) ? nonce : undefined]
}
