import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { fetchDocument, follow, getTemplate, type OpenApiDocument, type Schema } from './openapi.ts'

/** A response, and the request that it answers. */
export interface Exchange {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The query with its question mark. @default '' */
  readonly search?: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type Check = (exchange: Exchange) => void

const checks = new Map<string, Promise<Check>>()

/** The checks by the text of the document, which most servers of the tests share. */
const checksByText = new Map<string, Check>()

async function loadCheck(origin: string): Promise<Check> {
  const document = await fetchDocument(origin)
  const text = JSON.stringify(document)
  const check = checksByText.get(text) ?? getCheck(document)
  checksByText.set(text, check)
  return check
}

/**
 * `fetch`, of a server's response that has to be as the server's own OpenAPI document says.
 *
 * @throws Error with the operation, the status and what is wrong
 */
export async function documentedFetch(input: string | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const { method } = request
  const { origin, pathname, search } = new URL(request.url)
  const checking = checks.get(origin) ?? loadCheck(origin)
  checks.set(origin, checking)
  const [check, response] = await Promise.all([checking, fetch(request)])
  const text = await response.clone().text()
  check({ method, path: pathname, search, status: response.status, headers: response.headers, text })
  return response
}

/** A check that an exchange is as the document says. */
export function getCheck(document: OpenApiDocument): Check {
  const isTrue = validator(document)

  return (exchange) => {
    const { method, path, search = '', status, headers, text } = exchange
    const template = getTemplate(document, path)
    const item = template === undefined ? undefined : document.paths[template]
    const operation = item?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()]
    const name = operation?.operationId ?? `${method} ${template ?? path}`
    const refute = (problem: string): never => {
      throw new Error(`${name} answered ${status}, which is not as documented: ${problem}\n${text}`)
    }

    if (operation === undefined) {
      checkUndocumented(exchange, item !== undefined, refute)
      return
    }
    const documented = operation.responses[status]
    if (documented === undefined) return refute('the status is not among its responses')
    const { description = '', headers: declared = {}, content = {} } = follow(document, documented)

    for (const [header, part] of Object.entries(declared)) {
      const value = headers.get(header)
      const { schema, required } = follow(document, part)
      if (value === null) {
        if (required === true) return refute(`it lacks the header ${header}`)
        continue
      }
      const problem = isTrue(schema, schema.type === 'integer' ? Number(value) : value)
      if (problem !== undefined) refute(`the header ${header} ${problem}`)
    }

    const type = headers.get('content-type')?.split(';')[0]
    if (Object.keys(content).length === 0) {
      if (text !== '' || type !== undefined) refute('it has no body')
      return
    }
    const media = content[type ?? '']
    if (media === undefined) return refute(`the content type is ${type ?? 'missing'}`)
    if (method === 'HEAD') {
      if (text !== '') refute('an answer to HEAD has no body')
      return
    }
    const body: unknown = JSON.parse(text)
    const hasFields = new URLSearchParams(search).has('fields')
    const problem = isTrue(hasFields ? withoutRequiredFields(document, media.schema) : media.schema, body)
    if (problem !== undefined) refute(`the body ${problem}`)
    const code = status < 400 ? undefined : getCode(body)
    if (code !== undefined && !description.split(/[^A-Z_]+/).includes(code)) refute(`it is not to be ${code}`)
  }

  function checkUndocumented(
    { method, status, headers, text }: Exchange,
    isPath: boolean,
    refute: (problem: string) => never,
  ): void {
    if (isPath && headers.get('allow') === null && status !== 429) refute('the header Allow is missing')
    if (isPath && method === 'OPTIONS' && status === 204) return
    const expected = isPath ? [405, 429] : [400, 404, 405, 414, 429]
    if (!expected.includes(status)) refute('it is not documented at all')
    const { ErrorEnvelope = {} } = document.components.schemas
    const problem = method === 'HEAD' ? undefined : isTrue(ErrorEnvelope, JSON.parse(text))
    if (problem !== undefined) refute(`the body ${problem}`)
  }
}

const partial = new WeakMap<Schema, Schema>()

/** The schema of a list whose items have only the fields that the request names. */
function withoutRequiredFields(document: OpenApiDocument, schema: Schema): Schema {
  const { data } = schema.properties ?? {}
  if (data?.items === undefined) return schema
  const items = { ...follow(document, data.items), required: [] }
  const created = partial.get(schema) ?? {
    ...schema,
    properties: { ...schema.properties, data: { ...data, items } },
  }
  partial.set(schema, created)
  return created
}

/** The code of an error, in its envelope or as a problem. */
function getCode(body: unknown): string | undefined {
  const { error, code } = body as { readonly error?: { readonly code: string }; readonly code?: string }
  return error?.code ?? code
}

/** Describes how a value violates a schema of the document; undocumented fields are violations. */
export function validator(document: OpenApiDocument): (schema: Schema, value: unknown) => string | undefined {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(closed({ components: document.components }) as object, 'document')
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object)
    compiled.set(schema, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'value' })
  }
}

/**
 * A copy in the dialect of Ajv whose objects hold nothing but what they declare. Clients have to tolerate fields that
 * a later version adds, so the document may leave objects open; a server that sends more than it documents is wrong.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closed(value)]),
  )
  const { $ref, type, properties, minimum } = copy
  if (typeof $ref === 'string') return { $ref: `document${$ref}` }
  if (type === 'object' && properties !== undefined) copy['additionalProperties'] ??= false
  // The dialect of OpenAPI 3.0 is older than that of Ajv.
  if (copy['exclusiveMinimum'] === true) {
    copy['exclusiveMinimum'] = minimum
    delete copy['minimum']
  }
  return copy
}
