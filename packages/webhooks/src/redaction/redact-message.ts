import { parse } from '../gateway/normalize.ts'
import type { DestinationMessage } from '../ports/destination.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { compilePaths, type Paths } from './paths.ts'
import { editBody, redactForm } from './redact-body.ts'
import { redactEvent, redactPayload } from './redact-event.ts'
import { createValueRedactor, type ValueRedactor } from './redact-value.ts'

/** Copies a message without some of its values. Resolves to undefined for a body whose values have no places. */
export type MessageRedactor = (message: DestinationMessage) => Promise<DestinationMessage | undefined>

type Request = NonNullable<DestinationMessage['request']>

/** A changed body does not match its digests, and a digest confirms a guess of the removed values. */
const digests = new Set(['content-digest', 'content-md5', 'digest', 'repr-digest'])

/**
 * @param providers parse the bodies of requests
 * @throws TypeError for a malformed path, and for more than 100 paths
 */
export function createMessageRedactor(
  paths: readonly string[],
  providers: readonly AnyProvider[],
): MessageRedactor {
  const compiled = compilePaths(paths)
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  return async (message) => {
    const values = createValueRedactor(compiled)
    const provider = byName.get(message.events[0]?.source.provider ?? '')
    const request = message.request && redactRequest(message.request, provider, compiled, values)
    if (message.request !== undefined && request === undefined) return undefined
    const events = await Promise.all(
      message.events.map((event) => redactEvent({ ...event, data: values.redact(event.data) }, values)),
    )
    return { ...message, events, ...(request && { request }) }
  }
}

function redactRequest(
  { headers, query, body }: Request,
  provider: AnyProvider | undefined,
  paths: Paths,
  values: ValueRedactor,
): Request | undefined {
  const edited = redactParsed(body, provider, paths, values)
  if (edited === undefined) return undefined
  const kept = Object.entries(headers).filter(([name, value]) => {
    const isRemoved = paths.headers.has(name.toLowerCase())
    if (isRemoved) values.remove(value)
    return !isRemoved && (edited === body || !digests.has(name.toLowerCase()))
  })
  return {
    headers: Object.fromEntries(kept),
    ...(query !== undefined && { query: redactForm(query, paths) }),
    body: edited,
  }
}

/** Ids of events can have the values that are removed from the payload. */
function redactParsed(
  body: Uint8Array,
  provider: AnyProvider | undefined,
  paths: Paths,
  values: ValueRedactor,
): Uint8Array | undefined {
  if (paths.start.length === 0 || body.length === 0) return body
  if (provider === undefined) return undefined
  try {
    const payload = parse(provider, body)
    redactPayload(payload, values)
    return editBody(body, provider, paths, payload)
  } catch {
    return undefined
  }
}
