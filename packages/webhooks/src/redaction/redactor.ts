import type { Normalized, Redactor, Verified } from '../gateway/accept.ts'
import type { UnprocessedRequest } from '../gateway/gateway-contract.ts'
import { isSerializable } from '../gateway/normalize.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createHeaders } from '../schemes/create-headers.ts'
import { compilePaths, type Paths } from './paths.ts'
import { redactBody, redactForm } from './redact-body.ts'
import { redactEvent, redactPayload } from './redact-event.ts'
import { createValueRedactor, type ValueRedactor } from './redact-value.ts'

/**
 * The paths of values that are removed, by the name of the provider; those of `*` apply to all providers. A path names a
 * member of the body or of the data of an event: `data.object.billing_details`, `lines.*.email`, `**.email`; or
 * `header:x-customer-email`.
 */
export type RedactPaths = Readonly<Record<string, readonly string[]>>

/**
 * Creates a redactor for the option `redactor` of a gateway. It removes values after the verification, and after the ids of
 * events are made, from the body, the headers, the query, the data of events and the values of searches.
 *
 * A removed value becomes `[redacted]`. An id or a subject of an event with a removed value becomes a hash. `onUnprocessed` of
 * the gateway receives refused requests as they arrived.
 *
 * @throws TypeError for a malformed path, and for more than 100 paths of a provider
 *
 * @example
 * ```ts
 * import { createRedactor } from '@sallyport/webhooks'
 *
 * const redactor = createRedactor({ stripe: ['data.object.billing_details'], '*': ['**.email'] })
 * ```
 */
export function createRedactor(paths: RedactPaths): Redactor {
  const { '*': common = [], ...named } = paths
  const compiled = new Map(
    Object.entries({ ...named, '*': [] }).map(([name, own]) => {
      const all = [...common, ...own]
      return [name, all.length > 0 ? compilePaths(all) : undefined] as const
    }),
  )
  const find = ({ name }: AnyProvider) => compiled.get(compiled.has(name) ? name : '*')

  return {
    async redact(verified, normalized) {
      const own = find(verified.provider)
      return own ? await redactDelivery(own, verified, normalized) : { verified, normalized }
    },
    redactUnverified(request) {
      const own = find(request.provider)
      return own ? redactUnverified(own, request) : request
    },
  }
}

async function redactDelivery(paths: Paths, verified: Verified, normalized: Normalized) {
  const { provider, headers, query, body } = verified
  const values = createValueRedactor(paths)
  const stored: Verified = {
    ...verified,
    headers: redactHeaders(paths, headers, values),
    query: query && new URLSearchParams(redactForm(query.toString(), paths)),
    body: redactBody(body, provider, paths, normalized.payload),
    original: { headers, body },
  }
  // An inbox cannot store the events, and a copy of them has no end.
  if (!isSerializable(normalized.events))
    return { verified: stored, normalized: { events: [], fault: { reason: 'NORMALIZER_FAILED' } } }
  const payload = redactPayload(normalized.payload, values)
  const events = await Promise.all(
    normalized.events.map(async (event) => {
      const data = event.data === normalized.payload ? payload : values.redact(event.data)
      return redactEvent({ ...event, data }, values)
    }),
  )
  return { verified: stored, normalized: { ...normalized, payload, events } }
}

function redactHeaders(
  paths: Paths,
  headers: Verified['headers'],
  values: Pick<ValueRedactor, 'remove'>,
): Verified['headers'] {
  if (paths.headers.size === 0) return headers
  return createHeaders(
    Array.from(headers, ([name, value]) => {
      return [name, paths.headers.has(name.toLowerCase()) ? values.remove(value) : value] as const
    }),
  )
}

/** Nobody has verified the request. A body with removed values counts as cut, so that nothing verifies it again. */
function redactUnverified(paths: Paths, request: UnprocessedRequest): UnprocessedRequest {
  const { provider, body, url } = request
  const headers = redactHeaders(paths, request.headers, createValueRedactor(paths))
  const [address = ''] = url?.split('?', 1) ?? []
  const query = url?.slice(address.length + 1) ?? ''
  const hasQuery = redactForm(query, paths) !== query
  const shown = provider.signature.redactBody?.(body) ?? body
  const kept = redactBody(shown, provider, paths)
  if (kept === shown && !hasQuery) return { ...request, headers }
  return {
    ...request,
    headers,
    url: url === undefined ? undefined : address,
    alternativeUrls: undefined,
    body: kept.subarray(0, Math.max(0, body.length - 1)),
    bodyBytes: body.length,
  }
}
