import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineListQuery } from '../define-list-query.ts'
import { checkRoute } from '../check-route.ts'
import type { AnyRoute } from '../route.ts'
import { schemaFilter } from '../schema-filter.ts'
import { createOpenApiDocument, type OpenApiDocument } from './index.ts'

const User = z.object({ id: z.uuid() }).meta({ id: 'User', description: 'Somebody.' })
const Named = z.object({ name: z.string() }).meta({ id: 'Named', description: 'With a name.' })
const Follower = z
  .object({
    id: z.string(),
    get next(): z.ZodType {
      return z.intersection(Follower, Named).optional()
    },
  })
  .meta({ id: 'Follower', description: 'With a name, but for the first.' })
const letters = z.enum(['a', 'b'])

const nullSchema = { type: 'string', nullable: true, enum: [null] }
const [text, flag] = [{ type: 'string' }, { type: 'boolean' }]
const int = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const user = { $ref: '#/components/schemas/User' }
const strict = { type: 'object', additionalProperties: false }
const of = (t: string) => ({
  type: 'object',
  properties: { t: { type: 'string', enum: [t] } },
  required: ['t'],
})
const schemas: readonly (readonly [string, z.ZodType, object])[] = [
  ['nullableComponent', User.nullable(), { anyOf: [user, nullSchema] }],
  [
    'nullableUnion',
    z.union([User, z.array(z.string())]).nullable(),
    { anyOf: [{ anyOf: [user, { type: 'array', items: text }] }, nullSchema] },
  ],
  [
    'nullableChoice',
    z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]).nullable(),
    { anyOf: [{ oneOf: [of('a'), of('b')] }, nullSchema] },
  ],
  ['literalNull', z.literal(null), nullSchema],
  // Regression: only null was left of the types.
  ['nullableTypes', z.union([z.string(), z.boolean()]).nullable(), { anyOf: [text, flag, nullSchema] }],
  ['nullableEnum', letters.nullable(), { type: 'string', nullable: true, enum: ['a', 'b', null] }],
  ['nullableAnything', z.unknown().nullable(), {}],
  ['looseRecord', z.looseRecord(z.string().regex(/^x/), z.int()), { type: 'object' }],
  [
    'enumRecord',
    z.record(letters, z.boolean()),
    { ...strict, properties: { a: flag, b: flag }, required: ['a', 'b'] },
  ],
  [
    'oneOfTwoFields',
    z
      .strictObject({ a: z.boolean().optional(), b: z.boolean().optional() })
      .meta({ anyOf: [{ required: ['a'] }, { required: ['b'] }], examples: [{ a: true }] }),
    {
      ...strict,
      properties: { a: flag, b: flag },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      example: { a: true },
    },
  ],
  ['followed', Follower, { $ref: '#/components/schemas/Follower' }],
  ['base64', z.base64(), { type: 'string', format: 'byte', pattern: z.regexes.base64.source }],
  [
    'tuple',
    z.tuple([z.string(), z.int(), z.string()]),
    { type: 'array', items: { anyOf: [text, int] }, minItems: 3, maxItems: 3 },
  ],
  [
    'tupleThatEndsInOne',
    z.tuple([z.string(), z.int(), z.int()]),
    { type: 'array', items: { anyOf: [text, int] }, minItems: 3, maxItems: 3 },
  ],
  [
    'tupleOfOne',
    z.tuple([z.number(), z.number()]),
    { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  ],
  ['twoAtLeast', z.array(z.string()).min(2), { type: 'array', items: text, minItems: 2 }],
  ['noneAtMost', z.array(z.string()).max(0), { type: 'array', items: text, maxItems: 0 }],
  [
    'between',
    z.number().gt(0).lt(1),
    { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
  ],
  ['multiple', z.int().min(1).multipleOf(5), { ...int, minimum: 1, multipleOf: 5 }],
  ['tenths', z.number().multipleOf(0.1).min(0.3), { type: 'number', multipleOf: 0.1, minimum: 0.3 }],
  ['anyInteger', z.int(), int],
  ['debt', z.int().negative(), { ...int, maximum: 0, exclusiveMaximum: true }],
  [
    'refined',
    z
      .string()
      .refine((value) => value.startsWith('x'))
      .meta({ examples: ['x'] }),
    { ...text, example: 'x' },
  ],
  ['password', z.string().min(8).meta({ format: 'password' }), { ...text, minLength: 8, format: 'password' }],
  ['phone', z.string().meta({ format: 'phone' }), { ...text, format: 'phone' }],
  ['ownPattern', z.iso.date().meta({ pattern: '^20' }), { ...text, format: 'date', pattern: '^20' }],
  ['oldUuid', z.string().check(z.uuid()), { ...text, format: 'uuid' }],
  ['ownWords', z.string().meta({ label: 'x', 'x-label': 'y' }), { ...text, 'x-label': 'y' }],
  [
    'shortEmail',
    z.email().max(10),
    { type: 'string', format: 'email', maxLength: 10, pattern: z.regexes.email.source },
  ],
  ['longUrl', z.url().min(100), { type: 'string', format: 'uri', minLength: 100 }],
  ['token', z.jwt(), { type: 'string', format: 'jwt' }],
  [
    'handle',
    z.object({ a: z.string().regex(/^[\w-.]+$/), b: z.string().regex(/^\-x/) }),
    {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^[\\w-.]+$' }, b: { type: 'string', pattern: '^\\-x' } },
      required: ['a', 'b'],
    },
  ],
]

const documented = { summary: 'It', tags: ['t'], access: 'public' } as const

function getDocument(routes: readonly AnyRoute[]): OpenApiDocument {
  return createOpenApiDocument({
    routes,
    openapi: '3.0',
    info: {
      title: 'An API',
      version: '1',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: 'https://api.sallyport.test' }],
    tags: [{ name: 't', description: 'All.' }],
  })
}

interface Media {
  readonly schema: { readonly properties: { readonly data: unknown } }
  readonly example?: { readonly data: unknown }
}

const routes = schemas.map(([name, data]) =>
  checkRoute({
    ...documented,
    method: 'GET',
    path: `/${name}`,
    operationId: name,
    responses: { 200: { description: 'It', data } },
  }),
)
const document = getDocument(routes)

function getMedia(name: string): Media {
  const paths = document.paths as unknown as Record<
    string,
    { get: { responses: Record<string, { content: object }> } }
  >
  return Object.values(paths[`/${name}`]!.get.responses['200']!.content as Record<string, Media>)[0]!
}

// Regression: the document held keywords of later versions, nullable without a type, and invalid examples.
it('passes the strict rules of redocly for every zod schema', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-dialect-'))
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const lint = ['lint', 'openapi.json', '--extends=recommended-strict', '--format=json']
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...lint], { cwd: folder, env }).catch(
    (error: unknown) => error as { stdout: string },
  )
  await rm(folder, { recursive: true })
  expect((JSON.parse(stdout) as { problems: unknown }).problems).toEqual([])
})

it.each(schemas)('documents %s, with a valid example or none', (name, schema, part) => {
  const media = getMedia(name)
  expect(media.schema.properties.data).toEqual(part)
  if (media.example !== undefined) {
    expect(schema.safeParse(media.example.data)).toMatchObject({ success: true })
  }
})

it('makes an example wherever possible', () => {
  const without = schemas.map(([name]) => name).filter((name) => getMedia(name).example === undefined)
  expect(without).toEqual(['phone', 'longUrl', 'token', 'handle'])
  const made = ['anyInteger', 'debt', 'tenths'].map((name) => getMedia(name).example?.data)
  expect(made).toEqual([1, -1, 0.4])
})

it('documents an intersection by its components', () => {
  expect(document.components?.schemas?.['Follower']).toEqual({
    type: 'object',
    description: 'With a name, but for the first.',
    properties: {
      id: text,
      next: {
        allOf: [{ $ref: '#/components/schemas/Follower' }, { $ref: '#/components/schemas/Named' }],
      },
    },
    required: ['id'],
  })
})

// Regression: every pattern next to a format was taken for the pattern that zod adds.
it('keeps the pattern of a filter', () => {
  const openapi = { type: 'string', format: 'date', pattern: '^20' }
  const query = defineListQuery({
    sortable: ['id'],
    pagination: 'offset',
    filterable: { day: schemaFilter(z.iso.date(), { openapi }) },
  })
  const responses = { 200: { description: 'All', list: z.object({ id: z.string() }) } }
  const route = checkRoute({ ...documented, method: 'GET', path: '/x', operationId: 'x', query, responses })
  expect(getDocument([route]).paths['/x']?.['get']?.parameters).toContainEqual(
    expect.objectContaining({ name: 'day', schema: openapi }),
  )
})
