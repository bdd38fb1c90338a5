import { z } from 'zod'

const scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()], {
  error: 'Must be a text, a number, true, false or null',
})
const scalars = z.array(scalar).min(1).max(100)
const comparison = z.strictObject({
  in: scalars.optional(),
  exists: z.boolean().optional(),
  prefix: z.string().min(1).max(1000).optional(),
  gt: z.number().optional(),
  gte: z.number().optional(),
  lt: z.number().optional(),
  lte: z.number().optional(),
})

const error = 'Must be a value, a list of values, or an object with in, exists, prefix, gt, gte, lt or lte'

/** A value, a list of possible values, or an object with tests that a value passes together. */
export const conditionSchema = z.union(
  [scalar, scalars, comparison.refine((tests) => Object.keys(tests).length > 0, error)],
  { error },
)

/** Tests a value; undefined for a path without a value. */
export type Test = (value: unknown) => boolean

/** Compiles a condition of {@link conditionSchema}. */
export function compileCondition(condition: z.output<typeof conditionSchema>): Test {
  if (typeof condition !== 'object' || condition === null) return (value) => value === condition
  if (Array.isArray(condition)) return isOneOf(condition)
  const { in: list, exists, prefix, gt, gte, lt, lte } = condition
  const tests: Test[] = []
  if (list !== undefined) tests.push(isOneOf(list))
  if (exists !== undefined) tests.push((value) => (value !== undefined) === exists)
  if (prefix !== undefined) tests.push((value) => typeof value === 'string' && value.startsWith(prefix))
  if (gt !== undefined) tests.push((value) => typeof value === 'number' && value > gt)
  if (gte !== undefined) tests.push((value) => typeof value === 'number' && value >= gte)
  if (lt !== undefined) tests.push((value) => typeof value === 'number' && value < lt)
  if (lte !== undefined) tests.push((value) => typeof value === 'number' && value <= lte)
  return (value) => tests.every((test) => test(value))
}

function isOneOf(list: readonly unknown[]): Test {
  const values = new Set(list)
  return (value) => values.has(value)
}
