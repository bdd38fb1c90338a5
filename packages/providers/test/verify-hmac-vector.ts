// Verifies deliveries from the catalogue alone, with node:crypto and no code of this repository, as another language would.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The members of a service in catalogue.json that the verifier reads. */
export interface DescribedService {
  readonly signature: {
    readonly scheme: string
    readonly algorithms?: readonly string[]
    readonly encoding?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly field?: string
    readonly parameter?: string
    readonly content?: readonly string[]
    readonly key?: string
    readonly secretPrefix?: string
  }
}

export interface DescribedRequest {
  readonly secrets: readonly string[]
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Whether the HMAC of a delivery is one of its contents with one of the secrets. */
export function verifyHmac({ signature }: DescribedService, request: DescribedRequest): boolean {
  const { algorithms: [algorithm = ''] = [], encoding = 'hex', content = [], key = '{secret}' } = signature
  const values = readHeaders(signature.headers ?? {}, request.headers)
  if (signature.field !== undefined) {
    const found = readPath(parseBody(request.body), signature.field)
    if (typeof found === 'string') values.set('signature', found)
  }
  if (signature.parameter !== undefined)
    values.set('signature', new URL(request.url).searchParams.get(signature.parameter) ?? '')
  const presented = values.get('signature')
  if (presented === undefined) return false
  return request.secrets.some((secret) =>
    content.some((template) => {
      const signed = fill(template, (name) => values.get(name) ?? readValue(name, secret, request))
      const digest = createHmac(algorithm, decodeKey(key, secret, signature.secretPrefix))
        .update(signed)
        .digest()
      return isEqual(presented, encode(digest, encoding))
    }),
  )
}

/** Reads the values of the headers by their templates, such as `t={timestamp},v1={signature}`. */
function readHeaders(
  templates: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Map<string, string> {
  const values = new Map<string, string>()
  for (const [header, template] of Object.entries(templates)) {
    const names: string[] = []
    const pattern = template.replaceAll(/\{([^}]+)\}|[^{]/g, (text, name?: string) => {
      if (name === undefined) return text.replace(/[$()*+.?[\\\]^|]/, String.raw`\$&`)
      names.push(name)
      return '(.+?)'
    })
    const found = new RegExp(`^${pattern}$`).exec(headers[header] ?? '')
    names.forEach((name, index) => {
      const text = found?.[index + 1]
      if (text === undefined) return
      if (name === 'signature:base64') values.set('signature', Buffer.from(text, 'base64').toString())
      else values.set(name, text)
    })
  }
  return values
}

const fill = (template: string, find: (name: string) => string): string =>
  template.replaceAll(/\{([a-z][\w.:-]*)\}/gi, (_, name: string) => find(name))

function readValue(name: string, secret: string, { method, url, headers, body }: DescribedRequest): string {
  const { origin, pathname } = new URL(url)
  const known: Readonly<Record<string, string>> = { method, url, body, secret }
  const [place = '', form, encoding] = name.split(':')
  if (place === 'body' && form !== undefined) return readForm(body, form, encoding)
  if (name === 'url.origin') return origin
  if (name === 'url.path') return pathname
  if (name.startsWith('header.')) return headers[name.slice('header.'.length)] ?? ''
  if (name.startsWith('body.')) return String(readPath(parseBody(body), name.slice('body.'.length)))
  return known[name] ?? ''
}

function readForm(body: string, form: string, encoding = 'hex'): string {
  if (form === 'json') return JSON.stringify(body).slice(1, -1)
  if (form === 'compact') return JSON.stringify(JSON.parse(body))
  if (form === 'sorted') return JSON.stringify(sortMembers(JSON.parse(body)))
  return encode(createHash(form).update(body).digest(), encoding)
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortMembers)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, one]) => [name, sortMembers(one)]))
}

const parseBody = (body: string): unknown =>
  body.startsWith('{') || body.startsWith('[')
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body))

const readPath = (value: unknown, path: string): unknown =>
  path.split('.').reduce((holder, name) => (Object(holder) as Record<string, unknown>)[name], value)

function decodeKey(key: string, secret: string, prefix = ''): Buffer {
  const rest = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  if (key === '{secret:base64}') return Buffer.from(rest, 'base64')
  if (key === '{secret:hex}') return Buffer.from(rest, 'hex')
  if (key === '{secret:sha1}') return createHash('sha1').update(secret).digest()
  return Buffer.from(key.replace('{secret}', secret))
}

function encode(bytes: Buffer, encoding: string): string {
  return encoding === 'hex-upper'
    ? bytes.toString('hex').toUpperCase()
    : bytes.toString(encoding as BufferEncoding)
}

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
