import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** A cut of a published OpenAPI document, with its references resolved. */
interface Published {
  readonly server: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>
}

interface PublishedOperation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required?: boolean
    readonly style?: string
    /** False for a list whose commas separate the values. */
    readonly explode?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: readonly string[]
  readonly response?: Schema
}

type Schema = Parameters<typeof z.fromJSONSchema>[0] & object

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`openapi/${name}.json`, import.meta.url), 'utf8')) as Published

const check = (schema: Schema, value: unknown) =>
  z.fromJSONSchema(schema, { defaultTarget: 'openapi-3.0' }).parse(value)

/** Reads a text of an address as the type that a schema declares. */
function readValue(schema: Schema, text: string): unknown {
  const { type } = schema as { readonly type?: string }
  if (type === 'integer') return Number(text)
  return type === 'boolean' ? JSON.parse(text) : text
}

/** Reads `name[key]=value` of a query as one object or list. */
function readDeep(name: string, query: URLSearchParams): unknown {
  const members = [...query].filter(([key]) => key.startsWith(`${name}[`))
  const entries = members.map(([key, value]) => [key.slice(name.length + 1, -1), value] as const)
  if (entries.every(([key]) => /^\d+$/.test(key))) return entries.map(([, value]) => value)
  return Object.fromEntries(entries.map(([key, value]) => [key, Number(value)]))
}

/**
 * Creates a `fetch` that answers by a script, and throws for a request or an answer that the published document does not
 * allow.
 */
export function createPublishedFetch(
  name: string,
  answer: (request: Request, url: URL) => Response | Promise<Response>,
): typeof globalThis.fetch {
  const { server, paths } = read(name)
  return async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const base = new URL(server)
    const path = url.pathname.slice(base.pathname.replace(/\/$/, '').length)
    const found = Object.entries(paths).flatMap(([template, methods]) => {
      const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
      const operation = methods[request.method.toLowerCase()]
      const match = pattern.exec(path)
      return match && operation ? [{ operation, values: match.groups ?? {} }] : []
    })[0]
    if (url.origin !== base.origin || found === undefined)
      throw new Error(`${request.method} ${request.url} is not published`)
    await checkRequest(found.operation, found.values, url, request)
    const response = await answer(request, url)
    await checkAnswer(found.operation, response.clone())
    return response
  }
}

async function checkRequest(
  { parameters, requestBody }: PublishedOperation,
  values: Readonly<Record<string, string>>,
  { searchParams }: URL,
  request: Request,
): Promise<void> {
  const known = parameters.filter((one) => one.in === 'query')
  for (const key of searchParams.keys())
    if (!known.some((one) => one.name === key.replace(/\[.*$/, '')))
      throw new Error(`The parameter ${key} is not published`)
  for (const { name, in: place, required = false, style, explode, schema } of parameters) {
    if (style === 'deepObject') {
      if ([...searchParams.keys()].some((key) => key.startsWith(`${name}[`)))
        check(schema, readDeep(name, searchParams))
      continue
    }
    const text = place === 'path' ? decodeURIComponent(values[name] ?? '') : searchParams.get(name)
    if (text !== null && text !== '')
      check(schema, explode === false && !style ? text.split(',') : readValue(schema, text))
    else if (required) throw new Error(`The parameter ${name} is required`)
  }
  const body = await request.text()
  const type = request.headers.get('content-type') ?? ''
  if (body === '') return
  const published = requestBody?.content[type]
  if (published === undefined) throw new Error(`A body of ${type} is not published`)
  check(published.schema, JSON.parse(body))
}

/** Checks what the script answers, so that a test proves nothing about an answer that cannot be. */
async function checkAnswer({ responses, response: schema }: PublishedOperation, response: Response) {
  if (!response.ok) return
  if (!responses.includes(String(response.status))) throw new Error(`${response.status} is not published`)
  if (schema) check(schema, await response.json())
}
