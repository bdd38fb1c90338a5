import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isListQuery } from '../check-route.ts'
import { describeSchema, type DescribedSchema } from '../describe-schema.ts'
import { resolveSchema, type JsonSchema } from '../openapi/json-schema.ts'
import type { ParameterReader } from '../parameter-reader.ts'
import { readParameterSchema, readQuerySchema } from '../parameter-schemas.ts'
import type { AnyRoute, TextSchemas } from '../route.ts'
import { isRequestBody } from './request-body.ts'

/** @throws TypeError for a parameter that no text satisfies, and for a field that JSON cannot hold */
export function requireReadable(route: AnyRoute): void {
  const { operationId, params, query, headers, cookies, body, responses } = route
  if (params !== undefined) requireText(operationId, 'path parameter', readQuerySchema(params).declared)
  requireText(operationId, 'header', readTexts(headers))
  requireText(operationId, 'cookie', readTexts(cookies))
  if (query !== undefined && !isListQuery(query)) requireQuery(operationId, query)
  if (body !== undefined && !isRequestBody(body)) requireJson(body, 'input', `${operationId}: `, 'the body')
  for (const [status, { data, list, body: whole }] of Object.entries(responses)) {
    const schema = data ?? list ?? whole
    if (schema !== undefined) requireJson(schema, 'output', `${operationId}: `, `the response ${status}`)
  }
}

function requireText(operationId: string, kind: string, readers: ReadonlyMap<string, ParameterReader>): void {
  for (const [name, { acceptsText }] of readers) {
    if (!acceptsText)
      throw new TypeError(`${operationId}: the ${kind} ${name} must accept text, as z.coerce.number() does`)
  }
}

function readTexts(schemas: TextSchemas = {}): ReadonlyMap<string, ParameterReader> {
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, readParameterSchema(schema)]))
}

function requireQuery(operationId: string, query: StandardSchemaV1): void {
  for (const [name, { isReadable }] of readQuerySchema(query).declared) {
    if (!isReadable)
      throw new TypeError(
        `${operationId}: the query parameter ${name} must accept text, a number, a Boolean or an array of these`,
      )
  }
}

function requireJson(
  schema: StandardSchemaV1,
  direction: 'input' | 'output',
  start: string,
  part: string,
): void {
  const described = describeSchema(schema, direction)
  const found = described && findForeign(described.schema, direction, described.schemas, new Map())
  if (found === undefined) return
  const field = found.path.length === 0 ? part : `the field ${found.path.join('.')} of ${part}`
  throw new TypeError(
    `${start}${field} has the type ${found.kind}, which JSON does not have; use text or a number`,
  )
}

interface Foreign {
  readonly path: readonly string[]
  readonly kind: string
}

/** Finds a value that JSON cannot hold and that is not an alternative to one that JSON can hold. */
function findForeign(
  schema: JsonSchema,
  direction: 'input' | 'output',
  schemas: DescribedSchema['schemas'],
  known: Map<string, Foreign | undefined>,
): Foreign | undefined {
  const find = (part: JsonSchema | boolean | undefined, ...path: readonly string[]) => {
    const found = typeof part === 'object' ? findForeign(part, direction, schemas, known) : undefined
    return found && { ...found, path: [...path, ...found.path] }
  }
  const { $ref, '~kind': kind, anyOf, oneOf, allOf = [], properties = {}, prefixItems = [] } = schema
  if ($ref !== undefined) {
    // A recursive schema refers to itself.
    if (!known.has($ref)) known.set($ref, undefined).set($ref, find(resolveSchema(schema, schemas)))
    return known.get($ref)
  }
  if (kind !== undefined && (direction === 'input' || !isWritten(kind))) return { path: [], kind }
  const choices = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null').map((part) => find(part))
  return [
    choices.includes(undefined) ? undefined : choices[0],
    ...allOf.map((part) => find(part)),
    ...Object.entries(properties).map(([name, part]) => find(part, name)),
    ...prefixItems.map((part, index) => find(part, String(index))),
    find(schema.items, '0'),
    find(schema.additionalProperties, '*'),
  ].find((found) => found !== undefined)
}

/** Whether JSON.stringify writes a value. A program may define how a bigint is written. */
function isWritten(kind: string): boolean {
  return kind === 'date' || (kind === 'bigint' && 'toJSON' in BigInt.prototype)
}
