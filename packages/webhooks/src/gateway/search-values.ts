import { parseForm, startsLikeJson } from '../parsers/forms.ts'
import { getExact } from '../parsers/large-integers.ts'
import { parseJson } from '../parsers/parse-json.ts'
import type { WebhookEvent } from '../ports/event.ts'
import { getKeyScope } from '../provider/idempotency-key.ts'
import { locateEvents } from '../provider/values.ts'
import { redacted } from '../schemes/redact.ts'
import type { Normalized, Verified } from './accept.ts'

/**
 * The paths of values that find a delivery, by the name of the provider: `data.object.customer` in the body, where `*` stands
 * for each element of a list, or `header:x-order-id`.
 */
export type SearchPaths = Readonly<Record<string, readonly string[]>>

/** The most values of a delivery. Each is a row of an index. */
export const maxValues = 16
/** The longest value in characters. A longer one is not indexed, because a cut value would find other deliveries too. */
export const maxLength = 200
/** A shorter part of an id, such as the number of an attempt, would find many deliveries. */
const minIdLength = 4

const headerPrefix = 'header:'

/** The names of headers in which services write the id of a delivery or of a request. */
const idHeader =
  /(?:delivery|event|request|message|notification|webhook|correlation|transmission)-?(?:id|uuid|guid)$|-delivery$|^idempotency-key$|^(?:ce|svix)-id$/

/** @throws TypeError for an empty path */
function checkSearchPaths(paths: SearchPaths): void {
  for (const [provider, list] of Object.entries(paths))
    for (const path of list)
      if (path === '' || path === headerPrefix || path.split('.').includes(''))
        throw new TypeError(`The search path "${path}" of ${provider} is malformed`)
}

/** Begins the value of a delivery that reconciliation read. */
const recoveredPrefix = 'recovered:'

interface Readable extends Pick<Verified, 'id' | 'provider' | 'requestId' | 'recoveredBy'> {
  /** By lower-case name, without signatures and credentials. */
  readonly headers: Readonly<Record<string, string>>
  readonly payload: unknown
}

/** Reads the values that find deliveries. */
interface ValueReader {
  /** Returns the request id, the ids of the service, and the values at named paths of a verified delivery. */
  readonly readValues: (
    verified: Verified,
    headers: Readable['headers'],
    normalized: Normalized,
  ) => readonly string[]
  /** Returns those of a delivery that anybody may have sent. No function of the provider runs. */
  readonly readUnverified: (
    delivery: Omit<Readable, 'payload'> & { readonly body: Uint8Array },
  ) => readonly string[]
}

export function createValueReader(paths: SearchPaths = {}): ValueReader {
  checkSearchPaths(paths)

  function collect({ id, provider, requestId, recoveredBy, headers, payload }: Readable) {
    const values = new Set(recoveredBy === undefined ? [] : [`${recoveredPrefix}${recoveredBy}`])
    const add = (value: string | undefined) => {
      const isWanted = value !== undefined && value !== '' && value !== redacted && value !== id
      // No sender may pass a delivery off as recovered.
      if (
        isWanted &&
        !value.startsWith(recoveredPrefix) &&
        value.length <= maxLength &&
        values.size < maxValues
      )
        values.add(value)
    }
    add(requestId)
    // The named paths come before the headers and the ids of many events, which could fill the bound.
    for (const path of [
      ...(provider.searchPaths ?? []),
      ...(Object.hasOwn(paths, provider.name) ? (paths[provider.name] ?? []) : []),
    ]) {
      if (path.startsWith(headerPrefix)) add(headers[path.slice(headerPrefix.length).toLowerCase()])
      else for (const value of readPath(payload, path)) add(value)
    }
    for (const [name, value] of Object.entries(headers)) if (idHeader.test(name)) add(value)
    return { values, add }
  }

  return {
    readValues(verified, headers, { payload, events }) {
      const { values, add } = collect({ ...verified, headers, payload })
      const scope = getKeyScope(verified.provider.name, verified.endpoint?.id)
      for (const event of events) {
        if (values.size >= maxValues) break
        for (const part of readKey(event, scope)) if (part.length >= minIdLength) add(part)
      }
      return [...values]
    },
    readUnverified: ({ body, ...delivery }) => [
      ...collect({ ...delivery, payload: parseUnverified(body) }).values,
    ],
  }
}

/** Reads JSON and forms; undefined for other bodies. */
function parseUnverified(body: Uint8Array): unknown {
  try {
    return startsLikeJson(body) ? parseJson(body) : parseForm(body)
  } catch {
    return undefined
  }
}

function readPath(payload: unknown, path: string): readonly string[] {
  const found = locateEvents({ event: getExact(payload), parents: [] }, path) ?? []
  return found.flatMap(({ event }) =>
    typeof event === 'string' || typeof event === 'number' ? [String(event)] : [],
  )
}

/** Reads the parts of the id of an event that come from the service. */
function readKey({ id }: WebhookEvent, scope: string): readonly string[] {
  const [kind, ...parts] = id.startsWith(`${scope}:`) ? id.slice(scope.length + 1).split(':') : []
  // The id has a hash in place of the parts.
  if (kind === 'sha256' || parts[0] === 'sha256') return []
  return parts.flatMap((part) => {
    try {
      return [decodeURIComponent(part)]
    } catch {
      return []
    }
  })
}
