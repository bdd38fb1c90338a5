import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenApiDocument } from '../openapi/index.ts'
import { createRouteGroup } from '../route-group.ts'
import { createArbitraries } from './index.ts'

interface Tree {
  readonly name: string
  readonly children: readonly Tree[]
}
const Tree: z.ZodType<Tree> = z.lazy(() =>
  z.strictObject({ name: z.string().max(3), children: z.array(Tree).max(2) }),
)

const schemas = {
  text: z.string().min(2).max(5),
  pattern: z.string().regex(/^[a-z]+-\d{3}$/),
  formats: z.strictObject({
    ...{ id: z.uuid(), email: z.email(), day: z.iso.date(), at: z.iso.datetime(), link: z.url() },
    address: z.ipv4(),
  }),
  integer: z.int().gt(0).lt(4),
  price: z.number().multipleOf(0.25).min(0).max(10),
  number: z.number().gt(0).lte(1),
  choice: z.enum(['a', 'b']),
  literal: z.literal(7),
  nullable: z.strictObject({ at: z.iso.date().nullable(), kind: z.boolean() }),
  list: z.array(z.int().min(0)).min(1).max(4),
  pair: z.tuple([z.boolean(), z.int()]),
  record: z.record(z.string(), z.int()),
  union: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a'), a: z.int() }),
    z.strictObject({ kind: z.literal('b') }),
  ]),
  both: z.intersection(z.object({ a: z.int() }), z.object({ b: z.boolean().optional() })),
  component: z.strictObject({ title: z.string() }).meta({ id: 'Title' }),
  tree: Tree,
} satisfies Record<string, z.ZodType>

/** Returns the schema of a body in a document, and the arbitraries of the document. */
function document(body: z.ZodType) {
  const route = createRouteGroup({ access: 'public' })
  const { route: declared } = route.post('/', { operationId: 'post', body, data: z.null() }, () => null)
  const { paths, components } = createOpenApiDocument({
    routes: [declared],
    info: { title: 'Test', version: '1' },
  })
  const schema = paths['/']?.['post']?.requestBody?.content['application/json']?.schema ?? {}
  return { schema, ...createArbitraries({ schemas: components?.schemas ?? {} }) }
}

describe.each(Object.entries(schemas))('%s', (_, body) => {
  const { schema, valid, invalid } = document(body)

  it('makes valid values that the schema accepts', () => {
    fc.assert(fc.property(valid(schema), (value) => body.safeParse(value).success))
  })

  it('makes invalid values that the schema refuses', () => {
    fc.assert(
      fc.property(invalid(schema) ?? fc.constant(undefined), (value) => !body.safeParse(value).success),
    )
  })
})

it('has no invalid values where everything is valid', () => {
  expect(createArbitraries().invalid({})).toBeUndefined()
})

it('makes no read-only properties, and chosen values of the others', () => {
  const properties = { id: { type: 'string', readOnly: true }, owner: { type: 'string' } }
  const { valid } = createArbitraries({
    choose: (__, name) => (name === 'owner' ? fc.constant('ada') : undefined),
  })
  const object = { type: 'object', properties, required: ['id', 'owner'] }
  fc.assert(fc.property(valid(object), (value) => JSON.stringify(value) === '{"owner":"ada"}'))
})

it('refuses a schema that no value is found for', () => {
  const { valid } = createArbitraries()
  expect(() => valid({ type: 'string', minLength: 5, maxLength: 2 })).toThrow('No value can be made')
  expect(() => valid({ $ref: '#/components/schemas/Missing' })).toThrow('The document has no')
})
