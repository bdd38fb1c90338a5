import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkRoute } from '../check-route.ts'
import { createOpenApiDocument } from './index.ts'

const documented = { method: 'POST', path: '/x', operationId: 'x', summary: 'X', access: 'public' } as const

function getExamples(body: z.ZodType, data: z.ZodType = z.string()) {
  const responses = { 201: { description: 'It', data } }
  const route = checkRoute({ ...documented, body, responses })
  const { paths } = createOpenApiDocument({ routes: [route], info: { title: 'An API', version: '1' } })
  const { requestBody, responses: documents } = paths['/x']?.['post'] ?? {}
  const makeExample = (part: unknown) =>
    (part as { content: Record<string, { example?: unknown }> }).content['application/json']?.example
  return [makeExample(requestBody), (makeExample(documents?.['201']) as { data: unknown } | undefined)?.data]
}

// Regression: a refinement queried the database during generation; its failure ended the process.
it('runs no refinement to make examples', () => {
  let calls = 0
  const called = () => {
    calls += 1
    return Promise.reject(new Error('No database'))
  }
  const schema = z
    .object({
      email: z.email().refine(called),
      name: z.string().superRefine(called),
      note: z.string().check(called),
      nick: z.string().overwrite((text) => String(calls++) + text),
      code: z.codec(z.iso.datetime(), z.date(), { decode: called, encode: called }),
      custom: z.custom(called).meta({ type: 'string' }),
    })
    .refine(called)
  const body = schema.extend({ tags: z.string().transform(called), n: z.preprocess(called, z.int()) })
  const made = { email: 'ada@example.com', name: 'text', note: 'text', nick: 'text', custom: 'text' }
  const code = '2026-01-31T12:00:00.000Z'
  expect(getExamples(body.refine(called), schema)).toEqual([
    { ...made, code, tags: 'text', n: 1 },
    { ...made, code },
  ])
  expect(calls).toBe(0)
})

// Regression: a response had no example if a field has no JSON equivalent.
it('has examples for the JSON form of dates, classes and large numbers', () => {
  class Money {
    toJSON = () => '1.00'
  }
  const at = { type: 'string', format: 'date-time', examples: ['2026-01-02T03:04:05Z'] }
  const data = z.object({
    date: z.date(),
    day: z.date().meta({ format: 'date' }),
    given: z.date().meta(at),
    code: z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: String }).meta(at),
    money: z.instanceof(Money).meta({ type: 'string', examples: ['1.00'] }),
    count: z.bigint(),
  })
  expect(getExamples(z.string(), data)[1]).toEqual({
    date: '2026-01-31T12:00:00.000Z',
    day: '2026-01-31',
    given: '2026-01-02T03:04:05Z',
    code: '2026-01-02T03:04:05Z',
    money: '1.00',
    count: 1,
  })
})

it('makes no example of a text that is converted to another type', () => {
  const text = z.string().meta({ examples: ['7'] })
  expect(getExamples(z.stringbool())[0]).toBeUndefined()
  expect(getExamples(text.pipe(z.coerce.number()))[0]).toBe('7')
  expect(getExamples(z.object({ at: z.coerce.date(), name: z.string().pipe(z.string()) }))[0]).toEqual({
    at: '2026-01-31T12:00:00.000Z',
    name: 'text',
  })
})
