import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ErrorDetail } from '@sallyport/errors'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { safeValidate, validate } from './validate.ts'

const schema = z.strictObject({
  items: z.array(z.strictObject({ name: z.string() })),
  count: z.coerce.number(),
})

it('returns the output of the schema', async () => {
  const value = await validate(schema, { items: [], count: '3' })
  expect(value).toEqual({ items: [], count: 3 })
  expectTypeOf(value).toEqualTypeOf<{ items: { name: string }[]; count: number }>()
})

it('lists every problem with its dotted path, and each unknown field', async () => {
  const input = { items: [{ name: 'a' }, { name: 1, x: 1 }], count: 'many', y: 1, z: 1 }
  await expect(validate(schema, input)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    status: 400,
    details: [
      { field: 'items.1.name', message: expect.stringContaining('string') as string },
      { field: 'items.1.x', message: 'Unknown field' },
      { field: 'count', message: expect.stringContaining('number') as string },
      { field: 'y', message: 'Unknown field' },
      { field: 'z', message: 'Unknown field' },
    ],
  })
})

it.each<[string, StandardSchemaV1]>([
  ['arktype', type({ items: type({ name: 'string' }).array() })],
  ['valibot', v.object({ items: v.array(v.object({ name: v.string() })) })],
])('names the fields of a schema of %s', async (_, other) => {
  const listFields = async (input: unknown) => {
    const { problems = [] } = (await safeValidate(other, input)) as { problems?: readonly ErrorDetail[] }
    return problems.map(({ field }) => field)
  }
  expect(await listFields({ items: [{ name: 'a' }, { name: 1 }] })).toEqual(['items.1.name'])
  expect(await listFields({})).toEqual(['items'])
  expect(await listFields(null)).toEqual([''])
})

it('limits the number of details', async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 1]))
  await expect(validate(z.strictObject({}), many)).rejects.toHaveProperty('details.length', 100)
})

it('uses the configured code, status and message', async () => {
  const unprocessable = validate(schema, null, { status: 422, message: 'No' })
  await expect(unprocessable).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 422, message: 'No' })
  const failed = validate(schema, null, { code: 'VALIDATION_FAILED' })
  await expect(failed).rejects.toMatchObject({ status: 422, details: [{ field: '' }] })
})

it('accepts an asynchronous validator with path segments', async () => {
  const other: StandardSchemaV1<unknown, never> = {
    '~standard': {
      version: 1,
      vendor: 'another',
      validate: async () => ({ issues: [{ message: 'Bad', path: [{ key: 'a' }, 0, { key: 'b' }] }] }),
    },
  }
  await expect(validate(other, {})).rejects.toMatchObject({ details: [{ field: 'a.0.b', message: 'Bad' }] })
})
