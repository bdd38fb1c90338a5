import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkRoute } from '../check-route.ts'
import { createOpenApiDocument } from './index.ts'

const post = { method: 'POST', path: '/x', operationId: 'createX', access: 'public' } as const

function getDocument(body: z.ZodType, data: z.ZodType = z.string()) {
  const route = checkRoute({ ...post, body, responses: { 201: { data } } })
  return createOpenApiDocument({ routes: [route], info: { title: 'An API', version: '1' } })
}

const getBody = (body: z.ZodType) => {
  const { requestBody } = getDocument(body).paths['/x']?.['post'] ?? {}
  return requestBody?.content['application/json']?.schema
}

// Regression: references were found in the text of a schema, in which any value may look like one.
describe.each(['#', '#/$defs/Pet', '#/components/schemas/Pet:input'])('the text %s', (text) => {
  it.each([
    ['choice', z.enum([text, '*']), { type: 'string', enum: [text, '*'] }],
    ['literal', z.literal(text), { type: 'string', const: text }],
    ['example', z.string().meta({ examples: [text] }), { type: 'string', examples: [text] }],
    ['description', z.string().describe(text), { type: 'string', description: text }],
    ['default', z.string().default(text), { type: 'string', description: `Default: \`${text}\`.` }],
  ])('stays as it is as a %s', (_, schema, expected) => {
    const body = z.object({ Pet: z.string(), field: schema })
    expect(getBody(body)?.properties?.['field']).toEqual(expected)
  })

  it('stays as it is as the name of a property', () => {
    expect(getBody(z.object({ [text]: z.number() }))).toMatchObject({
      properties: { [text]: { type: 'number' } },
      required: [text],
    })
  })

  it('stays as it is in an example', () => {
    const { paths } = getDocument(z.object({ field: z.literal(text) }))
    expect(paths['/x']?.['post']?.requestBody?.content['application/json']?.example).toEqual({ field: text })
  })
})

it('names a component once if only a literal has the text of a reference', () => {
  const Link = z.object({ to: z.literal('#/components/schemas/Link:input') }).meta({ id: 'Link' })
  const { components } = getDocument(Link, Link)
  expect(Object.keys(components?.schemas ?? {})).not.toContain('LinkOutput')
})

it('refers to a recursive schema from a discriminator', () => {
  const Leaf = z.object({ kind: z.literal('leaf') }).meta({ id: 'Leaf' })
  const Branch = z
    .object({
      kind: z.literal('branch'),
      get nodes() {
        return z.array(z.discriminatedUnion('kind', [Leaf, Branch]))
      },
    })
    .meta({ id: 'Branch' })
  expect(getDocument(Branch).components?.schemas?.['Branch']?.properties?.['nodes']).toMatchObject({
    items: {
      discriminator: {
        mapping: { leaf: '#/components/schemas/Leaf', branch: '#/components/schemas/Branch' },
      },
    },
  })
})

// Regression: the output of one component replaced the other component.
it('keeps a component that has the name of the output of another', () => {
  const Job = z.object({ tries: z.int().default(1) }).meta({ id: 'Job' })
  const JobOutput = z.object({ log: z.string() }).meta({ id: 'JobOutput' })
  const { components } = getDocument(Job, z.object({ job: Job, output: JobOutput }))
  expect(components?.schemas).toMatchObject({
    Job: { properties: { tries: { description: 'Default: `1`.' } } },
    JobOutput: { properties: { log: { type: 'string' } } },
    JobOutput2: { properties: { tries: { type: 'integer' } }, required: ['tries'] },
  })
})
