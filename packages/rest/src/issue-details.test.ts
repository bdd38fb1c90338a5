import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { safeValidate } from './validate.ts'

const png = new File(['1234'], 'a.png', { type: 'image/png' })
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a') }),
  z.object({ kind: z.literal('b') }),
])

async function findProblem(schema: StandardSchemaV1, value: unknown) {
  const result = await safeValidate(schema, value)
  if ('value' in result) throw new Error('The value is valid')
  return result.problems[0]
}

describe('the problem of a value', () => {
  it.each<[string, StandardSchemaV1, unknown, string, string]>([
    ['no string', z.string(), undefined, 'REQUIRED', 'Required'],
    ['no choice', z.enum(['a', 'b']), undefined, 'REQUIRED', 'Required'],
    ['no union', z.union([z.string(), z.email()]), undefined, 'REQUIRED', 'Required'],
    ['no discriminator', kinds, {}, 'REQUIRED', 'Required'],
    ['null', z.string(), null, 'WRONG_TYPE', 'Must be a string'],
    ['a fraction', z.int(), 1.5, 'WRONG_TYPE', 'Must be an integer'],
    ['text for a number', z.coerce.number(), 'x', 'WRONG_TYPE', 'Must be a number'],
    ['a number', z.boolean(), 1, 'WRONG_TYPE', 'Must be true or false'],
    ['an object', z.array(z.string()), {}, 'WRONG_TYPE', 'Must be an array'],
    ['an array', z.object({}), [], 'WRONG_TYPE', 'Must be an object'],
    ['an entry', z.record(z.string(), z.string()), 7, 'WRONG_TYPE', 'Must be an object'],
    ['a forbidden value', z.never(), 1, 'WRONG_TYPE', 'Must be omitted'],
    ['text for a file', z.file(), 'x', 'WRONG_TYPE', 'Must be a file'],
    [
      'no type of a union',
      z.union([z.string(), z.number()]),
      true,
      'WRONG_TYPE',
      'Must be a string or a number',
    ],
    ['long text', z.string().max(100), 'x'.repeat(101), 'TOO_LONG', 'Must be at most 100 characters'],
    ['empty text', z.string().min(1), '', 'TOO_SHORT', 'Must be at least 1 character'],
    ['text of another length', z.string().length(3), 'ab', 'TOO_SHORT', 'Must be exactly 3 characters'],
    ['too many items', z.array(z.any()).max(1), [1, 2], 'TOO_MANY', 'Must have at most 1 item'],
    ['too few items', z.array(z.any()).min(2), [], 'TOO_FEW', 'Must have at least 2 items'],
    ['a large number', z.number().max(10), 11, 'TOO_LARGE', 'Must be at most 10'],
    ['a number at the limit', z.number().lt(10), 10, 'TOO_LARGE', 'Must be less than 10'],
    ['zero', z.number().positive(), 0, 'TOO_SMALL', 'Must be more than 0'],
    ['a large file', z.file().max(3), png, 'TOO_LARGE', 'Must be at most 3 bytes'],
    [
      'a late date',
      z.date().max(new Date(0)),
      new Date(1),
      'TOO_LARGE',
      'Must be at most 1970-01-01T00:00:00.000Z',
    ],
    ['no multiple', z.number().multipleOf(5), 7, 'NOT_MULTIPLE', 'Must be a multiple of 5'],
    ['another choice', z.enum(['a', 'b']), 'c', 'NOT_ONE_OF', 'Must be one of: a, b'],
    ['another literal', z.literal(true), false, 'NOT_ONE_OF', 'Must be true'],
    ['another discriminator', kinds, { kind: 'c' }, 'NOT_ONE_OF', 'Must be one of: a, b'],
    ['another media type', z.file().mime(['image/gif']), png, 'NOT_ONE_OF', 'Must be image/gif'],
    ['no date', z.iso.date(), '31.1.2026', 'INVALID_FORMAT', 'Must be an ISO 8601 date, such as 2026-01-31'],
    [
      'no email address',
      z.email(),
      'x',
      'INVALID_FORMAT',
      'Must be an email address, such as ada@example.org',
    ],
    ['no UUID', z.uuid(), 'x', 'INVALID_FORMAT', 'Must be a UUID'],
    ['no UUID of version 4', z.uuidv4(), 'x', 'INVALID_FORMAT', 'Must be a UUID'],
    ['no ULID', z.ulid(), 'x', 'INVALID_FORMAT', 'Must be a valid ulid'],
    ['no match', z.string().regex(/^a$/), 'b', 'INVALID_FORMAT', 'Must match the pattern /^a$/'],
    ['another start', z.string().startsWith('a'), 'b', 'INVALID_FORMAT', 'Must start with a'],
    ['another end', z.string().endsWith('a'), 'b', 'INVALID_FORMAT', 'Must end with a'],
    ['no part', z.string().includes('a'), 'b', 'INVALID_FORMAT', 'Must contain a'],
    ['an unknown field', z.strictObject({}), { x: 1 }, 'UNKNOWN', 'Unknown field'],
    ['a refused value', z.string().refine(() => false), 'x', 'INVALID', 'Not valid'],
    [
      'no form of a union',
      z.union([z.email(), z.uuid()]),
      'x',
      'INVALID',
      'Must have one of the allowed forms',
    ],
    ['a key', z.record(z.string().max(1), z.any()), { ab: 1 }, 'INVALID', 'Not valid'],
  ])('describes %s', async (_, schema, value, code, message) => {
    expect(await findProblem(schema, value)).toMatchObject({ code, message, in: 'body' })
  })

  it('has the message and the code that a schema sets', async () => {
    expect(await findProblem(z.string().max(3, 'Too wordy'), 'word')).toMatchObject({
      code: 'TOO_LONG',
      message: 'Too wordy',
    })
    const taken = z.string().refine(() => false, { error: 'Is taken', params: { code: 'TAKEN' } })
    expect(await findProblem(taken, 'x')).toMatchObject({ code: 'TAKEN', message: 'Is taken' })
  })

  it('is described for asynchronous schemas and for zod/mini', async () => {
    const asynchronous = z.string().refine(async () => await Promise.resolve(true))
    expect(await findProblem(asynchronous, 1)).toMatchObject({ message: 'Must be a string' })
    expect(await findProblem(mini.string(), 1)).toMatchObject({ message: 'Must be a string' })
  })
})
