import type { DecodedBody } from '../body/decode.ts'
import type { components } from '../api/schema.ts'

type DeliveryDetail = components['schemas']['DeliveryDetail']

/** Quotes text for a POSIX shell. Control characters stay in it, so that the bytes are those of the delivery. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Headers that curl sets itself, or that belong to the connection. */
const connectionHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'expect',
])
const isRedacted = (value: string): boolean => /redacted/i.test(value)

/**
 * Creates a curl command that sends the delivery to the gateway of this origin. Redacted headers and parameters of the query
 * are left out, so the gateway refuses the signature until the sender signs again.
 */
export function toCurl(
  { provider, endpoint, headers, query }: DeliveryDetail,
  body: DecodedBody | undefined,
  origin: string,
): string {
  const path = endpoint === null ? provider : `${provider}/${endpoint}`
  const parameters = [...new URLSearchParams(query ?? '')].filter(([, value]) => !isRedacted(value))
  const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`
  const lines = [
    `curl --request POST ${quote(`${origin}/webhooks/${path}${search}`)}`,
    ...Object.entries(headers)
      .filter(([name, value]) => !connectionHeaders.has(name) && !isRedacted(value))
      .map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
  ]
  // With --data-binary, curl would read a file for a body that begins with @.
  if (body?.text !== undefined) return [...lines, `--data-raw ${quote(body.text)}`].join(' \\\n  ')
  if (body) {
    const base64 = btoa(Array.from(body.bytes, (byte) => String.fromCharCode(byte)).join(''))
    return `base64 --decode <<< ${quote(base64)} | ${[...lines, '--data-binary @-'].join(' \\\n  ')}`
  }
  return lines.join(' \\\n  ')
}

/** Creates a command that signs the payload with the local secret and sends it; undefined for a body that is not JSON. */
export function toSallyportSend(
  { provider, endpoint, events }: DeliveryDetail,
  body: DecodedBody | undefined,
  origin: string,
): string | undefined {
  if (body?.text === undefined || body.json?.kind !== 'object') return undefined
  const name = events[0]?.name
  const parsed = JSON.parse(body.text) as { readonly type?: unknown; readonly payload?: unknown }
  const kind = name?.slice(name.indexOf('/') + 1) ?? (typeof parsed.type === 'string' ? parsed.type : 'KIND')
  // Providers of { type, payload } get the payload only.
  const isWrapped = typeof parsed.type === 'string' && typeof parsed.payload === 'object'
  const payload = isWrapped ? JSON.stringify(parsed.payload) : body.text
  const url = endpoint === null ? origin : `${origin}/webhooks/${provider}/${endpoint}`
  return `printf %s ${quote(payload)} |\n  npx sallyport send ${quote(provider)} ${quote(kind)} --payload - --url ${quote(url)}`
}
