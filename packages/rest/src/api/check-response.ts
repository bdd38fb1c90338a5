import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { EventStreamBody } from '../event-stream/event-stream-body.ts'
import type { AnyRouteResult } from '../route-binding.ts'
import { isListQuery } from '../check-route.ts'
import type { AnyRoute, ResponseDeclaration } from '../route.ts'
import { safeValidate } from '../validate.ts'

/** Checks the result of a handler. `query` is the parsed query of the request. */
export type CheckResponse = (
  result: AnyRouteResult,
  query: unknown,
) => AnyRouteResult | Promise<AnyRouteResult>

/**
 * Creates the function that checks the results of a route by the schemas of its responses.
 *
 * The function throws an error with the operation, the status, and the path of the field or the name of a missing header. The
 * error has no values, because logs have it.
 *
 * The items of a list that the client selects fields of are checked if their schema has a method `partial`.
 *
 * @param mode `check` rejects undeclared fields, `strip` removes them
 */
export function createResponseCheck(route: AnyRoute, mode: 'check' | 'strip'): CheckResponse {
  const name = `${route.operationId} (${route.method} ${route.path})`
  const partialItems = new Map(
    Object.entries(route.responses).flatMap(([status, { list }]) =>
      list !== undefined && hasFields(route) ? [[Number(status), makePartial(list)]] : [],
    ),
  )

  return async (result, query) => {
    const { status, body } = result
    const declaration = route.responses[status]
    if (declaration === undefined) throw new Error(`${name}: the status ${status} is not declared`)
    const refuse = (field: string, code: string) => {
      throw new Error(`${name}: the response ${status} does not match its schema at "${field}": ${code}`)
    }
    const check = async (schema: StandardSchemaV1, value: unknown, path: readonly string[]) => {
      const checked = await safeValidate(schema, value)
      if ('problems' in checked) {
        const { field = '', code = 'INVALID' } = checked.problems[0] ?? {}
        return refuse([...path, ...(field === '' ? [] : [field])].join('.'), code)
      }
      const undeclared = findUndeclared(value, checked.value, path)
      // The schema may order the fields differently, and the ETag is that of the handler's value.
      if (undeclared === undefined) return value
      return mode === 'check' ? refuse(undeclared, 'UNKNOWN') : checked.value
    }
    const missing = findMissingHeader(route, result)
    if (missing !== undefined)
      throw new Error(`${name}: the response ${status} has no header ${missing}, which the route declares`)
    const { fields } = Object(query) as { readonly fields?: unknown }
    const isPartial = fields !== undefined && declaration.list !== undefined
    const list = isPartial ? partialItems.get(status) : declaration.list
    if (isPartial && list === undefined) return result
    return { ...result, body: await checkBody({ ...declaration, ...(list && { list }) }, body, check) }
  }
}

/** Finds a required header that a result does not have. The API adds the ETag of all bodies but streams. */
function findMissingHeader(
  { etag, responses }: AnyRoute,
  { status, headers = {}, body }: AnyRouteResult,
): string | undefined {
  const sent = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const required = Object.entries(responses[status]?.headers ?? {})
    .filter(([, header]) => typeof header === 'string' || header.required)
    .map(([name]) => name)
  if (etag === true && body instanceof ReadableStream) required.push('ETag')
  return required.find((name) => !sent.has(name.toLowerCase()))
}

type Check = (schema: StandardSchemaV1, value: unknown, path: readonly string[]) => Promise<unknown>

async function checkBody(
  { data, list, body, events, lines }: ResponseDeclaration,
  value: unknown,
  check: Check,
) {
  const envelope = Object(value) as { readonly data?: unknown; readonly meta?: unknown }
  if (data !== undefined) return { data: await check(data, envelope.data, ['data']) }
  if (body !== undefined) return await check(body, value, [])
  const item = events ?? lines
  if (item !== undefined)
    return checkEvents(value as EventStreamBody<unknown>, (data) => check(item, data, ['data']))
  if (list === undefined) return value
  const isBare = Array.isArray(value)
  const path = isBare ? [] : ['data']
  const rows = (isBare ? value : envelope.data) as readonly unknown[]
  const items = await Promise.all(rows.map((row, index) => check(list, row, [...path, String(index)])))
  return isBare ? items : { data: items, meta: envelope.meta }
}

/** Checks each event when it is sent. */
function checkEvents(
  body: EventStreamBody<unknown>,
  check: (data: unknown) => Promise<unknown>,
): EventStreamBody<unknown> {
  return { encode: (encoding) => body.encode({ ...encoding, check }) }
}

/** Finds the path of a field that a schema removed. */
function findUndeclared(given: unknown, kept: unknown, path: readonly string[]): string | undefined {
  if (typeof given !== 'object' || typeof kept !== 'object' || given === null || kept === null)
    return undefined
  for (const [name, value] of Object.entries(given)) {
    // JSON omits these values.
    if (value === undefined || typeof value === 'function') continue
    const here = [...path, name]
    if (!Object.hasOwn(kept, name)) return here.join('.')
    const inner = findUndeclared(value, (kept as Readonly<Record<string, unknown>>)[name], here)
    if (inner !== undefined) return inner
  }
  return undefined
}

const hasFields = ({ query }: AnyRoute): boolean =>
  isListQuery(query) && query.parameters.some(({ name }) => name === 'fields')

/** Makes the fields of an item optional with the method `partial` that objects of zod and arktype have. */
function makePartial(schema: StandardSchemaV1): StandardSchemaV1 | undefined {
  const { partial } = schema as { readonly partial?: unknown }
  try {
    return typeof partial === 'function' ? (partial.call(schema) as StandardSchemaV1) : undefined
  } catch {
    // zod refuses partial() of a refined object.
    return undefined
  }
}
