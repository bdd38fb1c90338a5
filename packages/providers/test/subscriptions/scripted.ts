import type { SubscriptionContext } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'

type Schema = Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>

/** The part of an OpenAPI document of a service that its subscriptions use. */
export interface ApiDocument {
  readonly server: string
  readonly paths: object
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  /** The schemas of the body by media type. */
  readonly requestBody?: Readonly<Record<string, Schema>>
}

export interface ScriptedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: unknown
}

export type Answer = Response | { readonly [name: string]: unknown } | readonly unknown[] | undefined

const check = (schema: Schema, value: unknown, place: string): void => {
  const { error } = z.fromJSONSchema(schema, { defaultTarget: 'openapi-3.0' }).safeParse(value)
  if (error) throw new Error(`${place}: ${z.prettifyError(error)}`)
}

/** @throws Error for a request that the document does not allow */
function checkRequest({ server, paths }: ApiDocument, { method, url, headers, body }: ScriptedRequest): void {
  const { origin, pathname } = url
  const path = `${origin}${pathname}`.slice(server.length)
  const place = `${method} ${path}`
  if (!`${origin}${pathname}`.startsWith(server)) throw new Error(`${place} is not at ${server}`)
  const known = paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  const found = Object.entries(known).find(([template]) => matchPath(template, path))
  const operation = found?.[1][method.toLowerCase()]
  if (!found || !operation) throw new Error(`${place} is not in the document`)
  const given = { ...matchPath(found[0], path), ...Object.fromEntries(url.searchParams) }
  for (const name of Object.keys(given))
    if (!operation.parameters?.some((one) => one.name === name))
      throw new Error(`${place}: ${name} is unknown`)
  for (const { name, required, schema } of operation.parameters ?? []) {
    const value = given[name]
    if (value === undefined && required) throw new Error(`${place}: ${name} is missing`)
    if (value !== undefined)
      check(schema, schema.type === 'integer' ? Number(value) : value, `${place} ${name}`)
  }
  if (body === undefined) return
  const type = headers.get('content-type') ?? ''
  const schema = operation.requestBody?.[type]
  if (!schema) throw new Error(`${place} has no body of the type ${type}`)
  check(schema, body, place)
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const [names, values] = [template.split('/'), path.split('/')]
  if (names.length !== values.length) return undefined
  const found: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? ''
    if (name.startsWith('{')) found[name.slice(1, -1)] = value
    else if (name !== value) return undefined
  }
  return found
}

function readBody(headers: Headers, text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  if (headers.get('content-type') === 'application/json') return JSON.parse(text)
  const form: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const typed = value === 'true' || value === 'false' ? value === 'true' : value
    const list = name.slice(0, -2)
    if (name.endsWith('[]')) form[list] = [...((form[list] as readonly unknown[] | undefined) ?? []), typed]
    else form[name] = typed
  }
  return form
}

/**
 * Creates a `fetch` whose answers are those of a function, and which checks requests against the document of the service.
 */
export function createScriptedFetch(
  answer: (request: ScriptedRequest) => Answer,
  document?: ApiDocument,
): { readonly fetch: typeof globalThis.fetch; readonly requests: ScriptedRequest[] } {
  const requests: ScriptedRequest[] = []
  return {
    requests,
    async fetch(input, init) {
      const headers = new Headers(init?.headers)
      const url = new URL(String(input instanceof Request ? input.url : input))
      const request = { method: init?.method ?? 'GET', url, headers, body: readBody(headers, init?.body) }
      requests.push(request)
      if (document) checkRequest(document, request)
      const answered = await Promise.resolve(answer(request))
      if (answered instanceof Response) return answered
      if (answered === undefined) return new Response(null, { status: 204 })
      return new Response(JSON.stringify(answered), { status: request.method === 'POST' ? 201 : 200 })
    },
  }
}

export const address = 'https://hooks.example.com/webhooks/service/e1'
export const now = Date.UTC(2026, 10, 29)

/** The context of a request with the secret `a-secret-of-acme`. */
export const createContext = <Parameters>(
  parameters: Parameters,
  fetch: typeof globalThis.fetch,
  changes: Partial<SubscriptionContext<Parameters>> = {},
): SubscriptionContext<Parameters> => ({
  ...{ parameters, address, fetch },
  secrets: ['a-secret-of-acme'],
  token: () => 'token-of-acme',
  now: () => now,
  signal: new AbortController().signal,
  ...changes,
})
