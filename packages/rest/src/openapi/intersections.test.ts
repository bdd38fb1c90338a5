import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { createOpenApiDocument } from './index.ts'

function collectSchemas(...all: readonly z.ZodType[]) {
  const routes = all.map((data, at) => {
    const names = { path: `/x${String(at)}`, operationId: `x${String(at)}` }
    const responses = { 200: { description: 'It', data } }
    return defineRoute({ ...names, method: 'GET', summary: 'It', access: 'public', responses })
  })
  const document = createOpenApiDocument({ routes, info: { title: 'An API', version: '1' } })
  const errors = ['ErrorEnvelope', 'ProblemDetails']
  const components = Object.entries(document.components?.schemas ?? {})
  const schemas = Object.fromEntries(components.filter(([name]) => !errors.includes(name)))
  const media = document.paths?.['/x0']?.get?.responses?.['200'] as {
    content: Record<string, { schema: { properties: { data: object } } }>
  }
  return { schemas, data: media.content['application/json']?.schema.properties.data }
}

const Stamp = z.object({ at: z.string() }).meta({ id: 'Stamp' })
const text = { type: 'string' }
const openStamp = { type: 'object', properties: { at: text }, required: ['at'] }
const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })

// Regression: the intersection of one route opened both components for all routes.
it('keeps recursive components closed', () => {
  const Author = z
    .object({
      get posts(): z.ZodType {
        return z.array(Post)
      },
    })
    .meta({ id: 'Author' })
  const Post = z.object({ author: Author }).meta({ id: 'Post' })
  const { data, schemas } = collectSchemas(z.intersection(Author, Stamp), Author)
  const author = {
    type: 'object',
    properties: { posts: { type: 'array', items: refer('Post') } },
    required: ['posts'],
  }
  expect(data).toEqual({ allOf: [author, openStamp] })
  expect(schemas['Author']).toEqual({ ...author, additionalProperties: false })
  expect(schemas['Post']).toMatchObject({ additionalProperties: false })
})

it('opens components that contain each other everywhere', () => {
  const Left = z
    .object({
      get right(): z.ZodType {
        return z.intersection(Right, Stamp)
      },
    })
    .meta({ id: 'Left' })
  const Right = z
    .object({
      get left(): z.ZodType {
        return z.intersection(Left, Stamp).nullable()
      },
    })
    .meta({ id: 'Right' })
  const { data, schemas } = collectSchemas(z.array(z.intersection(Left, Stamp)))
  expect(data).toEqual({ type: 'array', items: { allOf: [refer('Left'), openStamp] } })
  expect(schemas).toMatchObject({
    Left: { properties: { right: { allOf: [refer('Right'), openStamp] } } },
    Right: { properties: { left: { anyOf: [{ allOf: [refer('Left'), openStamp] }, { enum: [null] }] } } },
  })
  expect(JSON.stringify(schemas)).not.toContain('additionalProperties')
})

// Regression: the alternatives of an inlined union, and recursive components, stayed in the document.
it('removes all unreferenced components', () => {
  const alternative = (kind: string) => z.object({ kind: z.literal(kind) }).meta({ id: kind })
  const Pet = z.discriminatedUnion('kind', [alternative('Cat'), alternative('Dog')]).meta({ id: 'Pet' })
  const { schemas } = collectSchemas(z.intersection(Pet, Stamp))
  expect(Object.keys(schemas)).toEqual([])
  const Kept = z.object({ pet: z.intersection(Pet, Stamp), cat: Pet.options[0] }).meta({ id: 'Kept' })
  expect(Object.keys(collectSchemas(Kept).schemas).sort()).toEqual(['Cat', 'Kept'])
})

it('opens an intersection that zod writes as one object', () => {
  const both = z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })).meta({ id: 'Both' })
  const { data, schemas } = collectSchemas(z.intersection(both, Stamp), both)
  const member = { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] }
  expect(data).toEqual({ allOf: [member, openStamp] })
  expect(schemas).toEqual({ Both: { ...member, additionalProperties: false } })
})

// Regression: an allOf of the user was opened like an intersection.
it('keeps an allOf of the user', () => {
  const allOf = [{ type: 'object', additionalProperties: false }, refer('Stamp')]
  const said = z.object({ a: z.string(), at: Stamp }).meta({ allOf })
  const { data, schemas } = collectSchemas(said)
  expect(data).toMatchObject({ allOf })
  expect(schemas['Stamp']).toEqual({ ...openStamp, additionalProperties: false })
})

it('writes every schema as its own object', () => {
  const { data } = collectSchemas(
    z.tuple([z.intersection(Stamp, z.object({})), z.intersection(z.object({}), Stamp)]),
  )
  const seen = new Set<unknown>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    expect(seen).not.toContain(value)
    seen.add(value)
    Object.values(value).forEach(look)
  }
  look(data)
})

// Regression: every intersection of a chain searched the whole document.
it('references nested intersections that are already open', () => {
  let chain: z.ZodType = Stamp
  for (let at = 1; at <= 20; at++) {
    const other = z.object({ [`x${String(at)}`]: z.string() })
    chain = z.intersection(chain, z.union([chain, other])).meta({ id: `Chain${String(at)}` })
  }
  const { schemas } = collectSchemas(chain)
  expect(schemas['Chain2']).toMatchObject({ allOf: [refer('Chain1'), { anyOf: [refer('Chain1'), {}] }] })
  expect(JSON.stringify(schemas).length).toBeLessThan(10_000)
})
