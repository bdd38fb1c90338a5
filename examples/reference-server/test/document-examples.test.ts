import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { fetchDocument, follow, type OpenApiDocument, type Schema } from './openapi.ts'

let api: TestApi
let document: OpenApiDocument
beforeAll(async () => {
  api = await startApi()
  document = await fetchDocument(api.base)
})
afterAll(() => api[Symbol.asyncDispose]())

interface Shown {
  readonly what: string
  readonly schema: Schema
  readonly examples: readonly unknown[]
}

/** Every body of a request or a success, with what is shown of it. */
function bodies(): readonly Shown[] {
  return Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, requestBody, responses }) => {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const parts = [
        ...(requestBody === undefined ? [] : [['request', requestBody] as const]),
        ...successes.map(([status, response]) => [status, follow(document, response)] as const),
      ]
      return parts.flatMap(([name, { content = {} }]) =>
        Object.values(content).map(({ schema, ...media }): Shown => {
          const { example, examples = {} } = media as {
            example?: unknown
            examples?: Record<string, { value: unknown }>
          }
          const named = Object.values(examples).map(({ value }) => value)
          return { what: `${operationId} ${name}`, schema, examples: 'example' in media ? [example] : named }
        }),
      )
    }),
  )
}

it('every body of the document has a valid example', () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'document', components: inDialectOfAjv(document.components) })
  for (const { what, schema, examples } of bodies()) {
    expect(examples.length, what).toBeGreaterThan(0)
    const validate = ajv.compile(inDialectOfAjv(schema) as object)
    for (const example of examples) {
      const problem = validate(example) ? undefined : ajv.errorsText(validate.errors)
      expect(problem, `${what}: ${JSON.stringify(example)}`).toBeUndefined()
    }
  }
})

it('the server accepts the examples of requests that create', async () => {
  const requests = new Map(bodies().map(({ what, examples }) => [what, examples[0]]))
  const { token } = api.admin
  const create = async (operation: string, path: string) => {
    const answer = await api.call('POST', path, { token, json: requests.get(`${operation} request`) })
    expect(answer.status, operation).toBe(201)
    return answer.data.id
  }
  await create('createUser', '/users')
  await create('createSession', '/sessions')
  await create('createComment', `/posts/${await create('createPost', '/posts')}/comments`)
  await create('createTask', `/projects/${await create('createProject', '/projects')}/tasks`)
})

/** References of OpenAPI lead into one document; what 3.0 calls `exclusiveMinimum` is a flag. */
function inDialectOfAjv(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inDialectOfAjv)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, exclusiveMinimum, minimum, ...rest } = node as Record<string, unknown>
  if (typeof $ref === 'string') return { $ref: `document${$ref}` }
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inDialectOfAjv(value)]))
  return {
    ...copy,
    ...(minimum !== undefined && { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
  }
}
