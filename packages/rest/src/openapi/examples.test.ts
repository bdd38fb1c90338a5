import { describe, expect, it } from 'vitest'
import type { BuiltMedia, BuiltSchema } from './document-model.ts'
import { addExamples } from './examples.ts'

function makeExample(schema: BuiltSchema, schemas: Readonly<Record<string, BuiltSchema>> = {}) {
  const [request, response]: [BuiltMedia, BuiltMedia] = [{ schema }, { schema }]
  const operation = {
    requestBody: { content: { 'application/json': request } },
    responses: { 200: { content: { 'application/json': response } } },
  }
  addExamples([operation], schemas)
  return [request.example, response.example]
}

describe('an example', () => {
  it.each<[BuiltSchema, unknown]>([
    [{ type: 'string', example: 'Ada' }, 'Ada'],
    [{ type: 'string', enum: ['b', 'a'] }, 'b'],
    [{ type: 'string', default: 'd' }, 'd'],
    [{ type: 'string', minLength: 6, maxLength: 6 }, 'text..'],
    [{ type: 'string', maxLength: 2 }, 'te'],
    [{ type: 'string', format: 'date' }, '2026-01-31'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'text'],
    [{ type: 'string', pattern: '^[0-9]+$' }, undefined],
    [{ type: 'string', pattern: '^[0-9]+$', nullable: true }, null],
    [{ type: 'integer', minimum: 0, exclusiveMinimum: true }, 1],
    [{ type: 'integer', minimum: 7 }, 7],
    [{ type: 'number', maximum: 0 }, 0],
    [{ type: 'number', multipleOf: 0.01, example: 19.99 }, 19.99],
    [{ type: 'number', multipleOf: 0.1, minimum: 0.3, maximum: 0.3 }, 0.3],
    [{ type: 'boolean' }, true],
    [{ type: 'array', items: { type: 'boolean' } }, [true]],
    [{ type: 'array' }, []],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 2, uniqueItems: true }, undefined],
    [{}, {}],
    [{ oneOf: [{ type: 'boolean' }, { type: 'string' }] }, true],
    [{ allOf: [{ $ref: '#/components/schemas/Yes' }] }, true],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'boolean' } } },
          { type: 'object', properties: { b: { type: 'boolean' } } },
        ],
      },
      { a: true, b: true },
    ],
    [{ $ref: '#/components/schemas/Nobody' }, undefined],
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
    const Tree = { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } }
    expect(JSON.stringify(makeExample(Tree, { Tree })[0])).toMatch(/^({"child":)+{}}+$/)
  })

  it('does not replace an existing example', () => {
    const media: BuiltMedia = { schema: { type: 'boolean' }, example: 'mine' }
    const others: BuiltMedia = { schema: { type: 'boolean' }, examples: {} }
    addExamples([{ responses: { 200: { content: { a: media, b: others } } } }], {})
    expect([media, others]).toEqual([
      { schema: { type: 'boolean' }, example: 'mine' },
      { schema: { type: 'boolean' }, examples: {} },
    ])
  })
})
