import { describe, expect, it } from 'vitest'
import { getCheck, type Exchange } from './documented.ts'
import type { OpenApiDocument, Schema } from './openapi.ts'

const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  ...{ type: 'object', properties, required },
})
const content = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const thing = { $ref: '#/components/schemas/Thing' }
const errors = {
  description: 'Not as it should be: REFUSED, GONE_FOR_GOOD.',
  ...content({ $ref: '#/components/schemas/ErrorEnvelope' }),
}
const retryAfter = { required: true, schema: { type: 'integer', minimum: 1 } } as const
const operation = (operationId: string, responses: OpenApiDocument['components']['responses'] = {}) => ({
  ...{ operationId, security: [], responses },
})
const document: OpenApiDocument = {
  paths: {
    '/things/{id}': {
      get: operation('getThing', {
        200: { $ref: '#/components/responses/Thing' },
        404: errors,
        429: { ...errors, headers: { 'Retry-After': retryAfter } },
      }),
      delete: operation('deleteThing', { 204: { description: 'Gone' } }),
    },
    '/things': {
      get: operation('listThings', { 200: content(object({ data: { type: 'array', items: thing } })) }),
    },
    '/things/none': { get: operation('getNone', { 404: errors }) },
  },
  components: {
    responses: {
      Thing: {
        headers: {
          ETag: { required: true, schema: { type: 'string' } },
          'Idempotent-Replayed': { schema: { type: 'string', enum: ['true'] } },
        },
        ...content(object({ data: thing })),
      },
    },
    schemas: {
      Thing: object(
        {
          size: { type: 'integer', minimum: 0, exclusiveMinimum: true },
          note: { type: 'string', nullable: true },
          at: { type: 'string', format: 'date-time' },
        },
        ['size'],
      ),
      ErrorEnvelope: object({ error: object({ code: { type: 'string' } }, ['code']) }, ['error']),
    },
  },
}

const check = getCheck(document)
const json = { 'content-type': 'application/json; charset=utf-8' }
const exchange = (
  changes: Partial<Omit<Exchange, 'headers'>> & { headers?: Record<string, string> } = {},
) => {
  const { headers = { ...json, etag: '"1"' }, ...others } = changes
  const text = '{"data":{"size":1,"note":null,"at":"2027-01-31T12:00:00.000Z"}}'
  return { method: 'GET', path: '/things/1', status: 200, text, ...others, headers: new Headers(headers) }
}
const refusal = '{"error":{"code":"REFUSED"}}'

describe('the check of responses by the document', () => {
  it.each([
    exchange(),
    exchange({ text: '{"data":{"size":1}}' }),
    exchange({ method: 'HEAD', text: '' }),
    exchange({ headers: { ...json, etag: '"1"', 'idempotent-replayed': 'true' } }),
    exchange({ path: '/things', search: '?fields=note', text: '{"data":[{"note":null}]}' }),
    exchange({ method: 'DELETE', status: 204, headers: {}, text: '' }),
    exchange({ status: 429, headers: { ...json, 'retry-after': '1' }, text: refusal }),
    exchange({ path: '/things/none', status: 404, text: refusal }),
    exchange({ path: '/nowhere', status: 404, text: refusal }),
    exchange({ method: 'PUT', status: 405, headers: { ...json, allow: 'GET' }, text: refusal }),
    exchange({ method: 'OPTIONS', status: 204, headers: { allow: 'GET' }, text: '' }),
  ])('passes $method $path $status $text', (given) => {
    expect(() => {
      check(given)
    }).not.toThrow()
  })

  it.each([
    ['a status', exchange({ status: 418 }), 'getThing answered 418'],
    ['a status of another path', exchange({ path: '/things/none' }), 'getNone answered 200'],
    [
      'a code',
      exchange({ path: '/things/none', status: 404, text: refusal.replace('REFUSED', 'GONE') }),
      'getNone answered 404, which is not as documented: it is not to be GONE',
    ],
    ['a header', exchange({ headers: json }), 'lacks the header ETag'],
    [
      'a header of another type',
      exchange({ status: 429, headers: { ...json, 'retry-after': 'soon' }, text: refusal }),
      'the header Retry-After value must be integer',
    ],
    [
      'another content type',
      exchange({ headers: { etag: '"1"', 'content-type': 'text/html' } }),
      'text/html',
    ],
    [
      'a missing field of an item',
      exchange({ path: '/things', text: '{"data":[{"note":null}]}' }),
      "required property 'size'",
    ],
    ['no content type', exchange({ headers: { etag: '"1"' } }), 'content type is missing'],
    ['a missing field', exchange({ text: '{"data":{}}' }), "value/data must have required property 'size'"],
    ['an additional field', exchange({ text: '{"data":{"size":1,"extra":1}}' }), 'additional properties'],
    ['an additional field outside', exchange({ text: '{"extra":1}' }), 'additional properties'],
    ['a type', exchange({ text: '{"data":{"size":"1"}}' }), 'value/data/size must be integer'],
    ['a bound', exchange({ text: '{"data":{"size":0}}' }), 'value/data/size must be > 0'],
    ['a format', exchange({ text: '{"data":{"size":1,"at":"today"}}' }), 'must match format "date-time"'],
    ['null', exchange({ text: '{"data":{"size":null}}' }), 'value/data/size must be integer'],
    ['a body of HEAD', exchange({ method: 'HEAD' }), 'HEAD has no body'],
    ['a body of 204', exchange({ method: 'DELETE', status: 204, headers: {} }), 'it has no body'],
    ['a type of 204', exchange({ method: 'DELETE', status: 204, headers: json, text: '' }), 'it has no body'],
    ['an undocumented success', exchange({ path: '/nowhere' }), 'GET /nowhere answered 200'],
    ['no envelope', exchange({ path: '/nowhere', status: 404, text: '{}' }), "required property 'error'"],
    ['no Allow', exchange({ method: 'PUT', status: 405, text: refusal }), 'the header Allow is missing'],
    [
      'a method',
      exchange({ method: 'PUT', headers: { ...json, allow: 'GET' } }),
      'PUT /things/{id} answered 200',
    ],
  ])('refuses %s', (_, given, problem) => {
    expect(() => {
      check(given)
    }).toThrow(problem)
  })
})
