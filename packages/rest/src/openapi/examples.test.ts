import { describe, expect, it } from 'vitest'
import type { OpenApiMedia, OpenApiOperation } from './document-model.ts'
import { addExamples } from './examples.ts'
import type { JsonSchema } from './json-schema.ts'

const createOperation = (
  request: OpenApiMedia,
  response: OpenApiMedia,
  type = 'application/json',
): OpenApiOperation => ({
  operationId: 'x',
  summary: 'X',
  security: [],
  requestBody: { content: { [type]: request } },
  responses: { 200: { description: 'X', content: { [type]: response } } },
})

function makeExample(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>> = {}) {
  const [request, response]: [OpenApiMedia, OpenApiMedia] = [{ schema }, { schema }]
  addExamples([createOperation(request, response)], new Map(Object.entries(schemas)))
  return [request.example, response.example]
}

describe('an example', () => {
  it.each<[JsonSchema, unknown]>([
    [{ type: 'string', examples: ['Ada'] }, 'Ada'],
    [{ type: 'string', enum: ['b', 'a'] }, 'b'],
    [{ type: 'string', default: 'd' }, 'd'],
    [{ type: 'string', minLength: 6, maxLength: 6 }, 'text..'],
    [{ type: 'string', maxLength: 2 }, 'te'],
    [{ type: 'string', format: 'date' }, '2026-01-31'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'text'],
    [{ type: 'string', pattern: '^[0-9]+$' }, undefined],
    [{ type: ['string', 'null'], pattern: '^[0-9]+$' }, null],
    [{ type: 'integer', exclusiveMinimum: 0 }, 1],
    [{ type: 'integer', minimum: 7 }, 7],
    [{ type: 'number', maximum: 0 }, 0],
    [{ type: 'number', multipleOf: 0.01, examples: [19.99] }, 19.99],
    [{ type: 'number', multipleOf: 0.1, minimum: 0.3, maximum: 0.3 }, 0.3],
    [{ type: 'boolean' }, true],
    [{ const: 'a' }, 'a'],
    [{ anyOf: [{ const: 'a' }, { type: 'null' }] }, 'a'],
    [{ type: 'array', prefixItems: [{ type: 'boolean' }, { type: 'null' }], minItems: 2 }, [true, null]],
    [{ type: 'array', items: { type: 'boolean' } }, [true]],
    [{ type: 'array' }, []],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 2, uniqueItems: true }, undefined],
    [{}, {}],
    [{ oneOf: [{ type: 'boolean' }, { type: 'string' }] }, true],
    [{ allOf: [{ $ref: 'Yes' }] }, true],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'boolean' } } },
          { type: 'object', properties: { b: { type: 'boolean' } } },
        ],
      },
      { a: true, b: true },
    ],
    [{ $ref: 'Unknown' }, undefined],
  ])('of %j is %j', (schema, expected) => {
    const [request, response] = makeExample(schema, { Yes: { type: 'boolean' } })
    expect([request, response]).toEqual([expected, expected])
  })

  it('omits read-only fields from a request and write-only fields from a response', () => {
    const properties = {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      password: { type: 'string', writeOnly: true },
    }
    expect(makeExample({ type: 'object', properties, required: ['id', 'name'] })).toEqual([
      { name: 'text', password: 'text' },
      { id: 1, name: 'text' },
    ])
  })

  it('is undefined without a value for a required field, and omits an optional field', () => {
    const properties = { a: { type: 'string', pattern: '^[0-9]$' }, b: { type: 'boolean' } }
    expect(makeExample({ type: 'object', properties })).toEqual([{ b: true }, { b: true }])
    expect(makeExample({ type: 'object', properties, required: ['a'] })).toEqual([undefined, undefined])
  })

  it('ends at a recursive schema', () => {
    const Tree = { type: 'object', properties: { child: { $ref: 'Tree' } } }
    expect(JSON.stringify(makeExample(Tree, { Tree })[0])).toMatch(/^({"child":)+{}}+$/)
  })

  it('does not replace an existing example', () => {
    const media: OpenApiMedia = { schema: { type: 'boolean' }, example: true }
    const others: OpenApiMedia = { schema: { type: 'boolean' }, examples: {} }
    addExamples([createOperation(media, others)], new Map())
    expect([media, others]).toEqual([
      { schema: { type: 'boolean' }, example: true },
      { schema: { type: 'boolean' }, examples: {} },
    ])
  })

  it('has to match its schema', () => {
    const [good, bad] = [{ schema: { type: 'boolean' } }, { schema: { type: 'boolean' }, example: 'mine' }]
    expect(() => {
      addExamples([createOperation(good, bad)], new Map())
    }).toThrow('x: the example of the response does not match its schema')
  })
})
