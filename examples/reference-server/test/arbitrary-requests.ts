import fc, { type Arbitrary } from 'fast-check'
import { unknownId } from './api.ts'
import type { Values } from './arbitrary-values.ts'
import { follow, type DeclaredOperation, type OpenApiDocument, type Schema } from './openapi.ts'

/** A part of a request, and whether the document lets it pass. */
interface Part<Value> {
  readonly value: Value
  readonly valid: boolean
}

/** A request to an operation, but for who sends it. */
export interface ArbitraryRequest {
  /** The parameters of the path. */
  readonly ids: 'existing' | 'unknown' | 'malformed'
  /** With its question mark, or empty. */
  readonly query: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Whether every part is as the document says. */
  readonly valid: boolean
}

/** Requests to an operation, most of them with something wrong. */
export function anyRequest(
  document: OpenApiDocument,
  operation: DeclaredOperation,
  values: Values,
): Arbitrary<ArbitraryRequest> {
  return fc
    .record({
      ids: mostly(fc.constantFrom('existing', 'existing', 'unknown'), fc.constant('malformed')),
      query: takesQuery(operation)
        ? mostly(validQuery(operation, values), invalidQuery(operation))
        : none(''),
      body:
        operation.requestBody === undefined
          ? none(undefined)
          : mostly(...bodies(document, operation.requestBody, values)),
      headers: getHeaders(operation),
    })
    .map(({ ids, query, body, headers }) => ({
      ids: ids.value,
      query: query.value,
      body: body.value,
      headers: headers.value,
      valid:
        [query, body, headers].every((part) => part.valid) &&
        (ids.valid || operation.parameters?.some((parameter) => parameter.in === 'path') !== true),
    }))
}

/** Requests that the document lets pass, to what there is, without a condition. */
export function validRequest(
  document: OpenApiDocument,
  operation: DeclaredOperation,
  values: Values,
): Arbitrary<ArbitraryRequest> {
  const { requestBody } = operation
  return fc.record({
    ids: fc.constant('existing' as const),
    query: takesQuery(operation) ? validQuery(operation, values) : fc.constant(''),
    body: requestBody === undefined ? fc.constant(undefined) : bodies(document, requestBody, values)[0],
    headers: fc.constant({}),
    valid: fc.constant(true),
  })
}

function mostly<Value>(valid: Arbitrary<Value>, invalid: Arbitrary<Value>): Arbitrary<Part<Value>> {
  return fc.oneof(
    { weight: 3, arbitrary: valid.map((value) => ({ value, valid: true })) },
    { weight: 1, arbitrary: invalid.map((value) => ({ value, valid: false })) },
  )
}

const none = <Value>(value: Value): Arbitrary<Part<Value>> => fc.constant({ value, valid: true })

const takesQuery = ({ parameters = [] }: DeclaredOperation) => parameters.some((own) => own.in === 'query')

function validQuery({ parameters = [] }: DeclaredOperation, values: Values): Arbitrary<string> {
  // Only the server creates the ids of streams.
  const own = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'after')
  const getValue = ({ name, schema }: (typeof own)[number]): Arbitrary<unknown> => {
    // Of these the document says in words alone what they may be.
    if (name === 'cursor') return fc.constant('')
    if (name === 'fields') return fc.constant('id')
    if (name === 'labels') return fc.constant('region=eu')
    if (name === 'sort') return fc.constant(schema.default ?? 'id')
    if (schema.pattern !== undefined) return values.valid({ type: 'string', format: 'date' })
    // All parameters together must fit into a URL.
    return values.valid({ ...schema, maxLength: Math.max(schema.minLength ?? 0, 20) })
  }
  return fc
    .record(Object.fromEntries(own.map((parameter) => [parameter.name, getValue(parameter)])), {
      requiredKeys: own.filter(({ required }) => required === true).map(({ name }) => name),
    })
    .map((chosen) => {
      const pairs = Object.entries(chosen).filter(([name]) => name !== 'page' || !('cursor' in chosen))
      const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
      return text === '' ? '' : `?${text}`
    })
}

function invalidQuery({ parameters = [] }: DeclaredOperation): Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const wrong = [
    ...[
      'colour=red',
      '__proto__=1',
      'constructor=1',
      'limit[]=1',
      '%ff=1',
      'page=1&cursor=',
      'cursor=forged',
    ],
    ...['limit=0', 'limit=101', 'limit=1e1', 'limit=-1', 'limit=', 'page=0', 'page=x', 'page=99999999999'],
    ...['fields=secret', 'fields=', 'fields=id,id;', 'page=10000000&limit=100'],
    ...names.flatMap((name) => [`${name}=%00`, `${name}=%`, `${name}=%ed%a0%80`, `${name}=&${name}=`]),
    ...(names.includes('sort') ? ['sort=secret', 'sort=', 'sort=-', "sort='"] : []),
    ...(names.includes('status') ? ['status=lost', 'status='] : []),
    ...(names.includes('createdAfter') ? ['createdAfter=now', 'createdAfter=2027-13-01'] : []),
  ]
  return fc.constantFrom(...wrong.map((query) => `?${query}`))
}

function bodies(
  document: OpenApiDocument,
  { required: isRequired = false, content }: NonNullable<DeclaredOperation['requestBody']>,
  values: Values,
): readonly [valid: Arbitrary<string>, invalid: Arbitrary<string>] {
  const schema = follow(document, content['application/json']!.schema)
  const { properties = {}, required = [], minProperties = 0, anyOf = [{}] } = schema
  const fields = Object.entries(properties).map(([name, own]) => [name, follow(document, own)] as const)
  const writable = fields.filter(([, { readOnly }]) => readOnly !== true)
  // The document describes these values in words only.
  const described: Readonly<Record<string, string | null>> = {
    ...{ cursor: '', provider: 'codehost' },
    // An admin has no selector of endpoints.
    endpoints: null,
  }
  const validField = (name: string, own: Schema) =>
    described[name] === undefined ? values.valid(own) : fc.constant(described[name])
  const chosen = fc
    .record(
      Object.fromEntries(
        writable
          // A password cannot be guessed.
          .filter(([name]) => name !== 'current_password')
          .map(([name, schema]) => [name, validField(name, schema)]),
      ),
      { requiredKeys: [...required] },
    )
    .filter((body) => Object.keys(body).length >= minProperties)
    .filter((body) => anyOf.some(({ required: names = [] }) => names.every((name) => name in body)))

  const changed = (change: (body: Readonly<Record<string, unknown>>) => Arbitrary<unknown>) =>
    chosen.chain(change).map((body) => JSON.stringify(body))
  const replaced = fc.constantFrom(...writable).chain(([name, schema]) => {
    return changed((body) => values.invalid(schema).map((value) => ({ ...body, [name]: value })))
  })
  const added = fc
    .constantFrom('colour', '__proto__', 'constructor', 'toString', 'ID', '', ' ')
    .chain((name) =>
      changed((body) => fc.constant(Object.fromEntries([...Object.entries(body), [name, {}]]))),
    )
  const given = fields
    .filter(([, { readOnly }]) => readOnly === true)
    .map(([name]) => changed((body) => fc.constant({ ...body, [name]: another(name) })))
  const lacking = required.map((name) =>
    changed((body) => fc.constant(Object.fromEntries(Object.entries(body).filter(([own]) => own !== name)))),
  )
  const other = fc.constantFrom('null', 'true', '7', '""', '[]', '[{}]', '{', '{}}', '{"a":1,"a":1}')
  const wrong = [replaced, added, ...given, ...lacking, other, ...(isRequired ? [fc.constant('')] : [])]
  return [chosen.map((body) => JSON.stringify(body)), fc.oneof(...wrong)]
}

/** A value of a field that may be sent back as it was read, and is not that. */
function another(name: string): string {
  return name.endsWith('_at') ? '2001-02-03T04:05:06.789Z' : unknownId
}

function getHeaders({
  method,
  parameters = [],
}: DeclaredOperation): Arbitrary<Part<Readonly<Record<string, string>>>> {
  const choices = parameters.flatMap(({ in: place, name }): Arbitrary<Part<Record<string, string>>>[] => {
    if (place !== 'header') return []
    const header = (value: string) => ({ [name]: value })
    const isKey = name === 'Idempotency-Key'
    const good = isKey ? fc.uuid() : fc.constantFrom('*', '"1"', 'W/"1"', '"999"', '"a", "b"')
    const bad = isKey
      ? fc.constantFrom('', 'a b', 'x'.repeat(256), '\u00e9')
      : fc.constantFrom('garbage', '"open', ',', '', '*, "1"')
    // The server ignores malformed tags of a GET.
    if (name === 'If-None-Match' && method === 'GET')
      return [fc.oneof(good, bad).map((value) => ({ value: header(value), valid: true }))]
    return [mostly(good.map(header), bad.map(header))]
  })
  return fc.oneof({ weight: 2, arbitrary: none({}) }, ...choices)
}
