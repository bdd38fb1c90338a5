import { z } from 'zod'
import { isEndpointId } from '../gateway/endpoint-id.ts'
import type { WebhookEvent } from '../ports/event.ts'
import { createNameFilter } from '@sallyport/internal/name-filter'
import { compileCondition, conditionSchema, type Test } from './condition.ts'

const maxDepth = 10
const maxConditions = 50

const path = z
  .string()
  .max(500)
  .refine(isPath, `Must be like data.action, with at most ${maxDepth} names below data`)

/**
 * The declaration of a filter, for files and code. An event passes when it meets every member.
 *
 * - `provider` and `endpoint`: names of providers and ids of endpoints
 * - `events`: patterns such as `github/push`, `github/issues.*` or `github/*`
 * - `data`: conditions by path, at most 50. A condition is a value, a list of values, or an object with `in`, `exists`, `prefix`,
 *   `gt`, `gte`, `lt` and `lte`. A number in a path is an index of a list. Values are compared without conversion.
 */
export const eventFilterSchema = z.strictObject({
  provider: z.array(z.string().min(1).max(64)).min(1).max(1000).optional(),
  endpoint: z
    .array(z.string().refine(isEndpointId, 'Must be the id of an endpoint'))
    .min(1)
    .max(1000)
    .optional(),
  events: z
    .array(z.string().refine(isPattern, 'Must be like github/push, github/push.* or github/*'))
    .min(1)
    .max(1000)
    .optional(),
  data: z
    .record(path, conditionSchema)
    .refine((conditions) => Object.keys(conditions).length <= maxConditions, {
      error: `Must have at most ${maxConditions} conditions`,
    })
    .optional(),
})

export type EventFilter = z.input<typeof eventFilterSchema>

/**
 * Compiles a filter of events.
 *
 * @throws TypeError for an invalid declaration; the message has the path of each problem
 *
 * @example
 * ```ts
 * import { createEventFilter } from '@sallyport/webhooks/filter'
 *
 * export const isOpenedIssue = createEventFilter({
 *   events: ['github/issues.*'],
 *   data: {
 *     'data.action': ['opened', 'reopened'],
 *     'data.issue.comments': { gte: 1 },
 *     'data.issue.pull_request': { exists: false },
 *   },
 * })
 * ```
 */
export function createEventFilter(filter: EventFilter): (event: WebhookEvent) => boolean {
  const { data: declared, error } = eventFilterSchema.safeParse(filter)
  if (error !== undefined) throw new TypeError(`The filter is invalid: ${describe(error)}`)
  const { provider, endpoint, events, data = {} } = declared
  const providers = provider && new Set(provider)
  const endpoints = endpoint && new Set(endpoint)
  const matchesName = events && createNameFilter(events)
  const conditions = Object.entries(data).map(([at, condition]) => ({
    names: at.split('.').slice(1),
    test: compileCondition(condition),
  }))
  return (event) =>
    (providers?.has(event.source.provider) ?? true) &&
    (endpoints === undefined ||
      (event.source.endpoint !== undefined && endpoints.has(event.source.endpoint))) &&
    (matchesName?.(event.name) ?? true) &&
    meets(event.data, conditions)
}

const meets = (
  data: unknown,
  conditions: readonly { readonly names: readonly string[]; readonly test: Test }[],
): boolean => conditions.every(({ names, test }) => test(readOwn(data, names)))

function readOwn(data: unknown, names: readonly string[]): unknown {
  let value = data
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function isPath(text: string): boolean {
  const [root, ...names] = text.split('.')
  return root === 'data' && names.length > 0 && names.length <= maxDepth && names.every((name) => name !== '')
}

function isPattern(text: string): boolean {
  try {
    createNameFilter([text])
    return true
  } catch {
    return false
  }
}

const describe = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 10)
    .map(({ path: at, message }) => (at.length === 0 ? message : `${at.join('.')}: ${message}`))
    .join('; ')
